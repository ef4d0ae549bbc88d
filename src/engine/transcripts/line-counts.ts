import type { SkippedLines } from "./agent-session.ts";

/** A type may be as long as a line, so the stored name is cut. Characters. */
const maxTypeLength = 100;
/** A hostile file may name a new type in every line. */
const maxTypes = 100;

/** Counts the skipped lines. */
export class LineCounts {
  malformed = 0;
  oversized = 0;
  readonly #unknown = new Map<string, number>();

  unknown(type: string): void {
    const name = type.slice(0, maxTypeLength);
    const key = this.#unknown.has(name) || this.#unknown.size < maxTypes ? name : "others";
    this.#unknown.set(key, (this.#unknown.get(key) ?? 0) + 1);
  }

  counts(): SkippedLines {
    return { malformed: this.malformed, oversized: this.oversized, unknown: new Map(this.#unknown) };
  }
}
