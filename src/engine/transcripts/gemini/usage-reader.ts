import path from "node:path";
import { statSync } from "node:fs";
import { countOnce } from "../../usage/aggregate.ts";
import {
  type RecordFile,
  type UsageReader,
  attributedLines,
  readSessionFile,
  readWholeFile,
  type UnreadableFile,
} from "../usage-reader.ts";
import { attributedByIndex } from "../records.ts";
import { readSessions, usageRead } from "../records/read-sessions.ts";
import { findGeminiSessions, type GeminiFile } from "./gemini-files.ts";
import { ChatLines } from "./read-chat.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { AgentSession } from "../agent-session.ts";

/** Upper bound: a whole session in one object is parsed at once. Bytes. */
const maxObjectSize = 256 * 1024 * 1024;

/** Reads a session's file, `.json` or `.jsonl`, to its end. */
export function readChat(
  file: Pick<GeminiFile, "path" | "cwd" | "parentId">,
): Result<AgentSession, UnreadableFile> {
  const { path: filePath, cwd, parentId } = file;
  const fileId = path.basename(filePath).replace(/\.jsonl?$/u, "");
  const start = () => new ChatLines({ fileId, cwd, parentId });
  if (filePath.endsWith(".jsonl")) return readSessionFile(filePath, start);
  const whole = readWholeFile(filePath, maxObjectSize);
  if (!whole.ok) return whole;
  const lines = start();
  if (whole.value === undefined) lines.oversized();
  else lines.line(whole.value);
  return succeed(lines.session());
}

export const usageReader: UsageReader = {
  finder: (roots) => () => {
    const { files, problems } = findGeminiSessions(roots);
    return { files: files.map(recordFile), areas: roots, problems };
  },
  readUsage(roots) {
    const read = readSessions(findGeminiSessions(roots), readChat);
    return usageRead(read, countOnce(read.sessions.flatMap(({ records }) => records)));
  },
};

function recordFile(file: GeminiFile): RecordFile {
  const { path: name, size, mtimeMs, cwd, parentId } = file;
  const found = { path: name, size, mtimeMs };
  if (!name.endsWith(".json")) {
    const fileId = path.basename(name, ".jsonl");
    const lines = () =>
      attributedLines(new ChatLines({ fileId, cwd, parentId }), (session) => attributedByIndex(session));
    return { ...found, lines, whole: null };
  }
  return {
    ...found,
    lines: null,
    whole: {
      stats: () => statSync(name, { throwIfNoEntry: false }),
      read: () => {
        const chat = readChat(file);
        return chat.ok ? { ok: true, value: attributedByIndex(chat.value) } : chat;
      },
    },
  };
}
