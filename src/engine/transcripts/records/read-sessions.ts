import { plainSentence } from "../../base/language.ts";
import type { Result, FileProblem } from "../../base/result.ts";
import type { UsageRecord } from "../../usage/aggregate.ts";
import type { UsageRead, UnreadableFile } from "../usage-reader.ts";
import type { AgentSession } from "../agent-session.ts";

import type { FoundFile, FoundFiles } from "../walk-files.ts";

export interface SessionsRead<Item extends UsageRecord> {
  readonly sessions: readonly AgentSession<Item>[];
  readonly problems: readonly FileProblem[];
}

/** Reads each file to its end. Reports files that cannot be read, except those that are gone. */
export function readSessions<Item extends UsageRecord, File extends FoundFile>(
  { files, problems }: FoundFiles<File>,
  read: (file: File) => Result<AgentSession<Item>, UnreadableFile>,
): SessionsRead<Item> {
  const sessions: AgentSession<Item>[] = [];
  const all = [...problems];
  for (const file of files) {
    const session = read(file);
    if (session.ok) sessions.push(session.value);
    // A file may have been moved between listing and reading.
    else if (session.reason !== "gone") all.push({ path: file.path, reason: plainSentence(session.reason) });
  }
  return { sessions, problems: all };
}

/** @param records the sessions' usage, each response counted once */
export function usageRead<Item extends UsageRecord>(
  { sessions, problems }: SessionsRead<Item>,
  records: readonly UsageRecord[],
): UsageRead {
  const sum = (kind: "malformed" | "oversized") =>
    sessions.reduce((all, { skipped }) => all + skipped[kind], 0);
  return {
    records: records.filter(({ sessionId }) => sessionId !== ""),
    problems,
    malformed: sum("malformed"),
    oversized: sum("oversized"),
    files: sessions.length,
  };
}
