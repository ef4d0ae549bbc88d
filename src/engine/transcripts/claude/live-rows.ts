import type { RowReader } from "../live-reader.ts";
import type { RowReading, TranscriptEvent } from "../event.ts";
import { readRow } from "./read-row.ts";

/**
 * Reads the rows of one transcript. Marks a fork's copies also where older versions do not: the first row of a
 * session's own file is younger than the history copied into it, which precedes the session's own responses: a row that is older
 * than the first, and follows one of these, was written by a clock that was set back. In a file without its older rows, which
 * then begins with a row of a parent that is not there, older rows are the session's own.
 */
export class LiveRows implements RowReader {
  readonly #sessionId: string;
  readonly #agentId: string | null;
  #bornAt: number | null = null;
  /** Whether a response of the session itself was read. */
  #hasOwn = false;

  /** @param agentId the subagent that wrote the file; null for a session's own */
  constructor(sessionId: string, agentId: string | null) {
    this.#sessionId = sessionId;
    this.#agentId = agentId;
  }

  read(line: Buffer): RowReading {
    const reading = readRow(line, { sessionId: this.#sessionId });
    if (reading.outcome !== "known" || this.#agentId !== null) return reading;
    if (this.#bornAt === null && reading.at !== null) this.#bornAt = goesOn(line) ? -Infinity : reading.at;
    return { ...reading, events: reading.events.map((event) => this.#marked(event, reading.at)) };
  }

  #marked(event: TranscriptEvent, rowAt: number | null): TranscriptEvent {
    if (event.kind !== "response" && event.kind !== "tool-call") return event;
    const at = event.kind === "response" ? event.response.at : rowAt;
    const isOlder = at !== null && this.#bornAt !== null && at < this.#bornAt;
    if (isOlder && !this.#hasOwn) return { ...event, isCopy: true };
    this.#hasOwn ||= event.kind === "response" && !event.isCopy;
    return event;
  }
}

/** Whether a row that nothing precedes has a parent. */
function goesOn(row: Buffer): boolean {
  return row.includes('"parentUuid":"') || row.includes('"logicalParentUuid":"');
}
