import type { FileProblem } from "../base/disk/file-problem.ts";
import type { Result } from "../base/result.ts";
import type { UsageRecord } from "../usage/agent-record.ts";
import type { AgentSession, SessionLines } from "./agent-session.ts";
import type { AttributedSession, NamedRecord } from "./records/records-attribution.ts";

import type { UnreadableFile } from "./read-session-file.ts";
import type { FoundFile } from "./walk-files.ts";

/** Reads the usage records of one agent's files. */
export interface UsageReader {
  /** Returns a finder of the agent's files below its roots, called again whenever they may have changed. */
  readonly finder: (roots: readonly string[]) => () => FoundRecords;
  /** Reads everything below the roots once, each response counted once. */
  readonly readUsage: (roots: readonly string[]) => UsageRead;
}

interface FoundRecords {
  readonly files: readonly RecordFile[];
  /** The folders that hold all of the files, however deep. They need not exist. */
  readonly areas: readonly string[];
  readonly problems: readonly FileProblem[];
}

/** A file with usage records: one session as lines that grow, or a file that is read whole whenever it changes. */
export type RecordFile = FoundFile &
  (
    | { readonly lines: () => AttributedLines; readonly whole: null }
    | { readonly lines: null; readonly whole: WholeFile }
  );

interface WholeFile {
  /** Size and time now; undefined when the file is gone. */
  readonly stats: () => Omit<FoundFile, "path"> | undefined;
  readonly read: () => Result<AttributedSession | readonly NamedRecord[], UnreadableFile>;
}

/** Reads one session's lines in pieces as the file grows, as `SessionLines` does. */
export interface AttributedLines extends Pick<SessionLines, "line" | "oversized"> {
  session(): AttributedSession;
}

export interface UsageRead {
  readonly records: readonly UsageRecord[];
  readonly problems: readonly FileProblem[];
  readonly malformed: number;
  readonly oversized: number;
  /** Files that could be read. */
  readonly files: number;
}

/** Lines of a session that is attributed on each call. */
export function attributedLines<Item extends UsageRecord>(
  lines: SessionLines<Item>,
  attribute: (session: AgentSession<Item>) => AttributedSession,
): AttributedLines {
  return {
    line: (line) => lines.line(line),
    oversized: () => lines.oversized(),
    session: () => attribute(lines.session()),
  };
}
