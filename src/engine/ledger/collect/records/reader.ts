import type { AttributedLines } from "../../../transcripts/usage-reader.ts";
import type { AttributedSession, NamedRecord } from "../../../transcripts/records/attribution.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { EntryReader } from "../entry-reader.ts";
import { ChangedEntries } from "../changed-entries.ts";
import { FreshRecords } from "./fresh.ts";

/** Makes entries of a session, with the responses of these records only. */
type EntriesOf = (session: AttributedSession, fresh: readonly NamedRecord[]) => LedgerEntry[];

/**
 * Turns a session's lines into entries. It cannot resume where another reader stopped: cumulative totals need
 * everything before.
 */
export class RecordReader implements EntryReader {
  readonly #lines: AttributedLines;
  readonly #entriesOf: EntriesOf;
  readonly #fresh = new FreshRecords();
  readonly #changed = new ChangedEntries();

  constructor(lines: AttributedLines, entriesOf: EntriesOf) {
    this.#lines = lines;
    this.#entriesOf = entriesOf;
  }

  line(line: Buffer): boolean {
    return this.#lines.line(line);
  }

  oversized(): void {
    this.#lines.oversized();
  }

  take(): LedgerEntry[] {
    const session = this.#lines.session();
    const entries = this.#entriesOf(session, this.#fresh.take(session));
    return entries.filter((entry) => entry.kind === "response" || this.#changed.isChanged(entry));
  }

  state(): string {
    return "";
  }
}
