import { lineReader } from "../../../src/engine/continuity/story/read-line.ts";
import { Story } from "../../../src/engine/continuity/story/story.ts";
import type { PastEvent } from "../../../src/engine/transcripts/past.ts";

/** The project of made-up sessions. */
export const project = "/home/ann/shop";

/** Writes a made-up session's past in the format of Claude Code's files. */
export class PastSession {
  readonly events: PastEvent[] = [];
  #calls = 0;
  #at: number;
  readonly #id: string;

  constructor(id = "s", at = 1_800_000_000_000) {
    this.#id = id;
    this.#at = at;
  }

  prompt(text: string): this {
    return this.#add({ kind: "prompt", text });
  }

  /** The person goes back before the last prompts, so many. */
  rewind(prompts: number): this {
    return this.#add({ kind: "rewind", prompts });
  }

  reply(text: string): this {
    return this.#add({ kind: "reply", text });
  }

  compact(summary?: string): this {
    this.#add({ kind: "compaction" });
    return summary === undefined ? this : this.#add({ kind: "summary", text: summary });
  }

  run(command: string, output = "", isError: boolean | null = false): this {
    return this.call("Bash", { command }, output, isError);
  }

  readFile(file: string): this {
    return this.call("Read", { file_path: `${project}/${file}` }, "text");
  }

  edit(file: string, change: readonly [string, string] = ["old", "new"], isError = false): this {
    const [before, after] = change;
    const input = { file_path: `${project}/${file}`, old_string: before, new_string: after };
    return this.call("Edit", input, isError ? "String to replace not found in file." : "done", isError);
  }

  call(tool: string, input: unknown, output = "", isError: boolean | null = false): this {
    this.#calls += 1;
    const id = this.#id === "s" ? `call-${this.#calls}` : `${this.#id}-call-${this.#calls}`;
    this.#add({ kind: "response", model: "claude-sonnet-4-5" });
    this.#add({ kind: "call", id, tool, input });
    return this.#add({ kind: "result", id, text: output, isError });
  }

  #add(event: Own): this {
    this.#at += 1000;
    const place = { sessionId: this.#id, agentId: null, at: this.#at, folder: project, branch: "main" };
    this.events.push({ ...place, ...event });
    return this;
  }
}

type Own = PastEvent extends infer Each
  ? Each extends PastEvent
    ? Omit<Each, "sessionId" | "agentId" | "at" | "folder" | "branch">
    : never
  : never;

export const readLine = lineReader({ home: "/home/ann", temporary: "/tmp" });

export function storyOf(events: readonly PastEvent[]): Story {
  const story = new Story({ readLine, rootOf: () => project });
  for (const event of events) story.add(event);
  return story;
}

export function packetOf({ events }: PastSession) {
  return storyOf(events).packet({ sessionId: "s", agent: "claude-code", folder: project, commit: null });
}
