import type { RowReader } from "../live-reader.ts";
import type { RowReading, TranscriptEvent } from "../agent-session.ts";
import { readRow } from "./read-row.ts";

/**
 * Reads the rows of one transcript, and marks a fork's copies even where older versions do not. The first row of a
 * session's own file is newer than the history copied into it, and that history comes before the session's own
 * responses. A row that is older than the first, but follows one of these responses, was written after the clock was
 * set back. A file may lack its older rows, and begin with a row whose parent is missing: there older rows are the
 * session's own.
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

/** Whether a row has a parent even though no row precedes it. */
function goesOn(row: Buffer): boolean {
  return row.includes('"parentUuid":"') || row.includes('"logicalParentUuid":"');
}
