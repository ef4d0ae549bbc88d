import { fail, succeed, type Result } from "../base/result.ts";
import type { UsageRecord } from "../usage/usage-record.ts";
import type { AgentSession, SessionLines } from "./agent-session.ts";
import { FileTail } from "./file-tail.ts";

/** Why a file could not be read. `refused` is no regular file; `unsupported` needs what this runtime does not have. */
export type UnreadableFile = "gone" | "denied" | "refused" | "unsupported" | "damaged";

/** Reads a session's file of lines to its end. Never blocks on a FIFO; a file that cannot be read is a named failure. */
export function readSessionFile<Item extends UsageRecord>(
  path: string,
  start: () => SessionLines<Item>,
): Result<AgentSession<Item>, UnreadableFile> {
  let lines = start();
  const tail = new FileTail(path, {
    onRestart: () => (lines = start()),
    onLine: (line) => lines.line(line),
    onOversized: () => lines.oversized(),
  });
  const { state } = tail.poll(Infinity);
  return state === "reading" ? succeed(lines.session()) : fail(state, path);
}
