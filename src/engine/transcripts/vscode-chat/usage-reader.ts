import { statsOf } from "../../base/files.ts";
import { countOnce } from "../../usage/aggregate.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { AgentSession } from "../agent-session.ts";
import { attributedByIndex } from "../records.ts";
import { readSessions, usageRead } from "../records/read-sessions.ts";
import {
  type UsageReader,
  type RecordFile,
  attributedLines,
  readSessionFile,
  readWholeFile,
  type UnreadableFile,
} from "../usage-reader.ts";
import { ChatRecordLines } from "./chat-records.ts";
import { findChats, type ChatFile, type FoundChats, type LogFile } from "./vscode-chat-files.ts";
import { LogCover } from "./copilot-log/cover.ts";
import { LogRecordLines } from "./copilot-log/call-records.ts";
import { WorkingFolders } from "./working-folders.ts";

/** A chat before 1.109 is parsed at once. Bytes. */
const maxObjectSize = 256 * 1024 * 1024;

/**
 * VS Code's own chats: from Copilot's log of a chat if there is one, else from the requests that the chat's file
 * records completely.
 */
export const usageReader: UsageReader = {
  finder: (roots) => () => {
    const found = findChats(roots);
    const folders = new WorkingFolders();
    const files = [
      ...found.logs.map((file) => logRecords(file, folders.of(file.holder))),
      ...found.chats.map((file) => chatRecords(file, folders.of(file.holder))),
    ];
    return { files, areas: roots, problems: found.problems };
  },
  readUsage(roots) {
    const found = findChats(roots);
    const folders = new WorkingFolders();
    const read = readSessions(allFiles(found), (file) =>
      "child" in file
        ? readSessionFile(file.path, () => logLines(file, folders.of(file.holder)))
        : readChat(file, folders.of(file.holder)),
    );
    return usageRead(read, countOnce(read.sessions.flatMap(({ records }) => records)));
  },
};

function allFiles({ logs, chats, problems }: FoundChats): {
  files: (LogFile | ChatFile)[];
  problems: FoundChats["problems"];
} {
  return { files: [...logs, ...chats], problems };
}

function logRecords(file: LogFile, cwd: string | null): RecordFile {
  const { path, size, mtimeMs } = file;
  const lines = () => attributedLines(logLines(file, cwd), (session) => attributedByIndex(session));
  return { path, size, mtimeMs, lines, whole: null };
}

function chatRecords(file: ChatFile, cwd: string | null): RecordFile {
  const { path, size, mtimeMs } = file;
  const found = { path, size, mtimeMs };
  if (path.endsWith(".jsonl")) {
    const lines = () => attributedLines(chatLines(file, cwd), (session) => attributedByIndex(session));
    return { ...found, lines, whole: null };
  }
  return {
    ...found,
    lines: null,
    whole: {
      stats: () => statsOf(path),
      read: () => {
        const chat = readChat(file, cwd);
        return chat.ok ? succeed(attributedByIndex(chat.value)) : chat;
      },
    },
  };
}

function readChat(file: ChatFile, cwd: string | null): Result<AgentSession, UnreadableFile> {
  if (file.path.endsWith(".jsonl")) return readSessionFile(file.path, () => chatLines(file, cwd));
  const bytes = readWholeFile(file.path, maxObjectSize);
  if (!bytes.ok) return bytes;
  const lines = chatLines(file, cwd);
  if (bytes.value === undefined) lines.oversized();
  else lines.whole(bytes.value);
  return succeed(lines.session());
}

function chatLines({ path, sessionId, holder }: ChatFile, cwd: string | null): ChatRecordLines {
  const cover = new LogCover(holder, sessionId);
  const writtenAt = () => statsOf(path)?.mtimeMs ?? 0;
  return new ChatRecordLines({ sessionId, cwd, cover: () => cover.at(writtenAt()) });
}

function logLines({ sessionId }: LogFile, cwd: string | null): LogRecordLines {
  return new LogRecordLines({ sessionId, cwd });
}
