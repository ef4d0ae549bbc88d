import assert from "node:assert/strict";
import { readRow } from "../../../src/engine/transcripts/claude/read-row.ts";
import type { RowReading, TranscriptEvent } from "../../../src/engine/transcripts/agent-session.ts";

/** The time at which the rows of these tests were written. */
export const time = "2026-11-02T09:00:17.610Z";
export const at = Date.parse(time);

export const nothing: RowReading = { outcome: "known", at: null, isSidechain: false, events: [] };
export const malformed: RowReading = { outcome: "malformed" };

/** Reads one line of the file of session `s1`. */
export function readLine(line: string | Buffer): RowReading {
  return readRow(Buffer.from(line), { sessionId: "s1" });
}

export function read(row: unknown): RowReading {
  return readLine(JSON.stringify(row));
}

export function eventsOf(row: unknown): readonly TranscriptEvent[] {
  const reading = read(row);
  return reading.outcome === "known" ? reading.events : assert.fail(reading.outcome);
}
