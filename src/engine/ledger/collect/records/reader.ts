import type { AgentSession, SessionLines } from "../../../transcripts/agent-session.ts";
import type { UsageRecord } from "../../../usage/agent-record.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { EntryReader } from "../entry-reader.ts";
import { ToldEntries } from "../told-entries.ts";

/**
 * Turns a session's lines into entries. It cannot resume where another reader stopped: cumulative totals need
 * everything before.
 */
export class RecordReader<Item extends UsageRecord> implements EntryReader {
  readonly #lines: SessionLines<Item>;
  readonly #entriesOf: (session: AgentSession<Item>) => LedgerEntry[];
  readonly #told = new ToldEntries();

  constructor(lines: SessionLines<Item>, entriesOf: (session: AgentSession<Item>) => LedgerEntry[]) {
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
    return this.#told.untold(this.#entriesOf(this.#lines.session()));
  }

  state(): string {
    return "";
  }
}
