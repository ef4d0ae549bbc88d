import type { Row } from "../../../sessions/support/rows.ts";
import { sessionId } from "./lines.ts";

/** Milliseconds since the epoch, from one fixed morning. */
export function second(seconds: number): number {
  return Date.UTC(2026, 10, 10, 9) + seconds * 1000;
}

/** A row of a session's main file. */
export function row(type: string, seconds: number, fields: Row = {}): Row {
  const timestamp = new Date(second(seconds)).toISOString();
  const common = { sessionId, cwd: "/home/dev/harbor", gitBranch: "main", isSidechain: false };
  return { type, uuid: `${type}-${seconds}`, timestamp, ...common, ...fields };
}

export function asked(seconds: number, content: unknown = "Mend the pier", fields: Row = {}): Row {
  return row("user", seconds, { message: { role: "user", content }, ...fields });
}

export interface Said {
  readonly id: string;
  readonly content?: readonly Row[];
  readonly stop?: string | null;
  readonly input?: number;
  readonly output?: number;
  /** The request it answers. */
  readonly to?: string;
  readonly fields?: Row;
}

export function said(seconds: number, reported: Said): Row {
  const { id, content = [text("Done.")], stop = "end_turn", input = 100, output = 10, to, fields } = reported;
  const usage = { input_tokens: input, output_tokens: output };
  const message = { id, model: "claude-opus-5", content, stop_reason: stop, usage };
  return row("assistant", seconds, {
    requestId: `req_${id}`,
    message,
    ...(to === undefined ? {} : { requestRef: to }),
    ...fields,
  });
}

export function text(words: string): Row {
  return { type: "text", text: words };
}

export function calls(id: string, name: string, input: Row = {}): Row {
  return { type: "tool_use", id, name, input };
}

/** The row of a tool's result. */
export function returned(seconds: number, id: string, content: unknown = "ok", fields: Row = {}): Row {
  const block = { type: "tool_result", tool_use_id: id, content };
  return asked(seconds, [block], fields);
}
