import type { AttributedLines } from "../../../transcripts/usage-reader.ts";
import type { AttributedSession } from "../../../transcripts/records/attribution.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { EntryReader } from "../entry-reader.ts";
import { ChangedEntries } from "../changed-entries.ts";

/**
 * Turns a session's lines into entries. It cannot resume where another reader stopped: cumulative totals need
 * everything before.
 */
export class RecordReader implements EntryReader {
  readonly #lines: AttributedLines;
  readonly #entriesOf: (session: AttributedSession) => LedgerEntry[];
  readonly #changed = new ChangedEntries();

  constructor(lines: AttributedLines, entriesOf: (session: AttributedSession) => LedgerEntry[]) {
    this.#lines = lines;
    this.#entriesOf = entriesOf;
  }

  line(line: Buffer): void {
    this.#lines.line(line);
  }

  oversized(): void {
    this.#lines.oversized();
  }

  take(): LedgerEntry[] {
    return this.#changed.takeChanged(this.#entriesOf(this.#lines.session()));
  }

  state(): string {
    return "";
  }
}
