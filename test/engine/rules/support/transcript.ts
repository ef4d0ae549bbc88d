/** Builds transcript lines as Claude Code writes them, as far as actions are read from them. */
export class TranscriptLines {
  readonly lines: string[] = [];
  #last = 0;

  said(text: string): this {
    return this.#row("assistant", [{ type: "text", text }]);
  }

  called(name: string, input: Record<string, unknown>, result: string, isError = false): this {
    const id = `toolu_${(this.#last += 1)}`;
    this.#row("assistant", [{ type: "tool_use", id, name, input }]);
    return this.#row("user", [{ type: "tool_result", tool_use_id: id, content: result, is_error: isError }]);
  }

  read(file: string, characters: number): this {
    return this.called("Read", { file_path: file }, "x".repeat(characters));
  }

  edit(file: string): this {
    return this.called("Edit", { file_path: file, old_string: "a", new_string: "b" }, "done");
  }

  #row(type: string, content: unknown): this {
    const timestamp = new Date(Date.UTC(2026, 10, 2) + this.lines.length * 1000).toISOString();
    this.lines.push(JSON.stringify({ type, timestamp, message: { role: type, content } }));
    return this;
  }
}
