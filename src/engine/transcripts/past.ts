/** Reads what sessions did. */
import { closeSync, createReadStream, fstatSync } from "node:fs";
import { type Result, succeed, fail, errorCode } from "../base/result.ts";
import type { HomeInput } from "./home-folder.ts";
import { parseJsonLine } from "./json-line.ts";
import { LineSplitter } from "./line-splitter.ts";
import { openToRead } from "./open-file.ts";
import { areWholeRecords, readRecords } from "./records/recovered.ts";
import type { FoundFile } from "./walk-files.ts";
import { sentence, compose, plainSentence } from "../base/language.ts";

/** Tool calls, by the ids that the agent gives them. */
export interface AskedCalls {
  /** A call that has just ended. */
  readonly present: string;
  readonly earlier: readonly string[];
}

/**
 * Returns the earlier calls that are certainly still in the present call's context, with their results: neither taken
 * back by the user nor compacted or cleared. Returns none where that cannot be determined quickly. Never throws.
 */
export type FindCallsInContext = (transcript: string, calls: AskedCalls) => Promise<ReadonlySet<string>>;

/** An event in a past conversation, as its agent's file records it. Texts are the agent's own: data, of any length. */
export type PastEvent = PastPlace &
  /** The prompt of a person or a script. */
  (
    | { readonly kind: "prompt"; readonly text: string }
    /** A response of the model, each reported once. It read everything before it. */
    | { readonly kind: "response"; readonly model: string | null }
    /** The text that the model wrote beside its calls; each part of a long answer, in order. */
    | { readonly kind: "reply"; readonly text: string }
    | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: unknown }
    /** The result of a call, as sent to the model. */
    | {
        readonly kind: "result";
        readonly id: string;
        readonly text: string;
        /** Null where the file does not record it. */
        readonly isError: boolean | null;
      }
    /** Everything before is summarized, and no longer read. */
    | { readonly kind: "compaction" }
    /** The summary that replaces everything before the last compaction; not every agent stores it in its file. */
    | { readonly kind: "summary"; readonly text: string }
    /** A person went back: this many of the last prompts, and everything after them, left the conversation. */
    | { readonly kind: "rewind"; readonly prompts: number }
  );

interface PastPlace {
  readonly sessionId: string;
  /** Null for the session's own conversation. */
  readonly agentId: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  readonly folder: string | null;
  /** The git branch; null where the file does not record it. */
  readonly branch: string | null;
}

export interface PastRows {
  /** @param row parsed JSON of any form; a row of an unknown form yields no events */
  read(row: unknown): readonly PastEvent[];
}

export interface AgentHistory {
  readonly files: (input: HomeInput) => readonly PastFile[];
  /** Returns the files of the session with this transcript: its own first, then those of its subagents. */
  readonly session: (transcript: string) => readonly Pick<PastFile, "path" | "rows">[];
}

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
      // The last line may be half written.
      const row = parseJsonLine(record);
      if (row.kind === "value") events.push(...reader.read(row.value));
      return row.kind === "value";
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
