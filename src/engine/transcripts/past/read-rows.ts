import { closeSync, createReadStream, fstatSync } from "node:fs";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { HomeInput } from "../home-folder.ts";
import { LineSplitter } from "../line-splitter.ts";
import { openToRead } from "../open-file.ts";
import { areWholeRecords, readRecords } from "../records/recovered.ts";
import type { PastEvent, PastRows } from "./past.ts";
import type { FoundFile } from "../walk-files.ts";
import { sentence, compose, plainSentence } from "../../base/text/sentence.ts";

/** Finds the files in which an agent stores its past calls and outputs. */
export interface AgentHistory {
  readonly files: (input: HomeInput) => readonly PastFile[];
  /** Returns the files of the session with this transcript: its own first, then those of its subagents. */
  readonly session: (transcript: string) => readonly Pick<PastFile, "path" | "rows">[];
}

/** A file with the past of one or more conversations. */
export interface PastFile extends FoundFile {
  /** Starts a reader of its rows; null for an unsupported form: compressed, or of very old versions. */
  readonly rows: (() => PastRows) | null;
}

/** Reads a file to its end, and yields its events in order, in batches. A line that is not JSON yields nothing. */
export async function readPast(
  { path: file, rows }: Pick<PastFile, "path" | "rows">,
  onEvents: (events: readonly PastEvent[]) => Promise<void>,
): Promise<Result<null, "unread" | "unreadable">> {
  if (rows === null) return fail("unread", plainSentence(file));
  const reader = rows();
  const splitter = new LineSplitter();
  let events: PastEvent[] = [];
  const onLine = (line: Buffer) =>
    readRecords(line, (record) => {
      const row = parsed(record);
      if (row !== undefined) events.push(...reader.read(row));
      return row !== undefined;
    });
  // An oversized line yields nothing, like one that is not JSON.
  const onOversized = () => undefined;
  const opened = open(file);
  if (!opened.ok) return opened;
  try {
    for await (const chunk of createReadStream(file, { fd: opened.value, highWaterMark: 1 << 20 })) {
      if (Buffer.isBuffer(chunk)) splitter.push(chunk, onLine, onOversized);
      await onEvents(events);
      events = [];
    }
    splitter.end(areWholeRecords, onLine);
    if (events.length > 0) await onEvents(events);
    return succeed(null);
  } catch (error) {
    return fail("unreadable", compose`${file}: ${errorCode(error)}`);
  }
}

function open(file: string): Result<number, "unreadable"> {
  try {
    const handle = openToRead(file);
    if (fstatSync(handle).isFile()) return succeed(handle);
    closeSync(handle);
    return fail("unreadable", sentence("{0}: not a file", file));
  } catch (error) {
    return fail("unreadable", compose`${file}: ${errorCode(error)}`);
  }
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    // The last line may be half written.
    return undefined;
  }
}
