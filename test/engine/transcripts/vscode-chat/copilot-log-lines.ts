import { appendFileSync, mkdirSync, utimesSync } from "node:fs";
import path from "node:path";
import { start } from "./written-chat.ts";

interface LoggedCall {
  readonly span: string;
  /** When the call began and how long it took. Milliseconds, the first after `start`. */
  readonly at: number;
  readonly dur?: number;
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly model?: string;
  readonly purpose?: string;
}

/** Writes Copilot's log of a chat, as `chatDebugFileLoggerService.ts` of microsoft/vscode does. */
export class CopilotLog {
  readonly file: string;
  readonly #session: string;
  readonly #lines: string[] = [];

  /** @param name `main`, or the name of a conversation beside the chat */
  constructor(folder: string, name = "main") {
    this.file = path.join(folder, `${name}.jsonl`);
    this.#session = path.basename(folder);
    mkdirSync(folder, { recursive: true });
  }

  begin(at: number, label?: string): this {
    const attrs = {
      copilotVersion: "0.65.0",
      vscodeVersion: "1.139.1",
      ...(label === undefined ? {} : { label }),
    };
    return this.#line("session_start", { at, attrs, more: { v: 1 } });
  }

  prompt(at: number, content: string): this {
    return this.#line("user_message", { at, attrs: { content } });
  }

  call({
    span,
    at,
    dur = 900,
    input,
    output,
    cached,
    model = "gpt-5",
    purpose = "panel/editAgent",
  }: LoggedCall): this {
    const cachedTokens = cached === undefined ? {} : { cachedTokens: cached };
    const attrs = { model, debugName: purpose, inputTokens: input, outputTokens: output, ...cachedTokens };
    return this.#line("llm_request", { at, dur, span, attrs });
  }

  failure(span: string, at: number): this {
    return this.#line("llm_request", {
      at,
      span,
      attrs: { model: "gpt-5", error: "429" },
      more: { status: "error" },
    });
  }

  tool(span: string, at: number): this {
    return this.#line("tool_call", { at, span, attrs: { args: "{}", result: "much text" } });
  }

  raw(line: string): this {
    this.#lines.push(line);
    return this;
  }

  /** @param at when the file is written; milliseconds after `start` */
  flush(at: number): this {
    appendFileSync(
      this.file,
      this.#lines
        .splice(0)
        .map((line) => `${line}\n`)
        .join(""),
    );
    utimesSync(this.file, (start + at) / 1000, (start + at) / 1000);
    return this;
  }

  #line(type: string, of: { at: number; dur?: number; span?: string; attrs: object; more?: object }): this {
    const { at, dur = 0, span = `${type}-${at}`, attrs, more = {} } = of;
    const row = {
      ts: start + at,
      dur,
      sid: this.#session,
      type,
      name: type,
      spanId: span,
      status: "ok",
      attrs,
    };
    return this.raw(JSON.stringify({ ...row, ...more }));
  }
}
