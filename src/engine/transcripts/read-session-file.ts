import { plainSentence } from "../base/text/sentence.ts";
import { statSync } from "node:fs";
import { errorCode } from "../base/error-code.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import type { UsageRecord } from "../usage/agent-record.ts";
import type { AgentSession, SessionLines } from "./agent-session.ts";
import { FileTail } from "./file-tail.ts";
import { readOpening } from "./open-file.ts";

/** Why a file could not be read. `refused`: not a regular file; `unsupported`: this runtime lacks what it needs. */
export type UnreadableFile = "gone" | "denied" | "refused" | "unsupported" | "damaged";

/** Reads a session's file line by line to its end. Never blocks on a FIFO; an unreadable file is a named failure. */
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
  return state === "reading" ? succeed(lines.session()) : fail(state, plainSentence(path));
}

/** Reads a file as a whole; undefined if it is longer than `longest` bytes. Never blocks on a FIFO. */
export function readWholeFile(path: string, longest: number): Result<Buffer | undefined, UnreadableFile> {
  try {
    const { size } = statSync(path);
    if (size > longest) return succeed(undefined);
    const bytes = readOpening(path, size);
    return bytes === undefined ? fail("refused", plainSentence(path)) : succeed(bytes);
  } catch (error) {
    return fail(errorCode(error) === "ENOENT" ? "gone" : "denied", plainSentence(path));
  }
}
