import { statSync } from "node:fs";
import path from "node:path";
import { countOnce } from "../../usage/agent-record.ts";
import { attributedLines, type UsageReader, type RecordFile } from "../usage-reader.ts";
import { attributedByIndex } from "../records/attribution.ts";
import { readSessions, usageRead } from "../records/read-sessions.ts";
import { findGeminiSessions, type GeminiFile } from "./files.ts";
import { readChat } from "./read-chat-file.ts";
import { ChatLines } from "./read-chat.ts";

/** Gemini CLI's sessions of both formats. */
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
