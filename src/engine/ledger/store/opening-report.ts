import { type Sentence, sentence, plural } from "../../base/language.ts";
import type { JournalReading } from "../journal/reader.ts";
import { firstVersion } from "./migrations.ts";
import type { LoadedLedger } from "./load-ledger.ts";

/** A damaged or unreadable snapshot, and its new name; null if it was left in place. */
export interface SetAside {
  readonly path: string;
  readonly reason: string;
  readonly now: string | null;
}

export interface OpeningReport {
  readonly snapshot: LoadedLedger["snapshot"];
  readonly setAside: readonly SetAside[];
  readonly journal: JournalReading;
  /** Why entries fit into no table: bugs of purser. */
  readonly unfitting: readonly Sentence[];
  /** The schema version before the migration, or null if it was current. */
  readonly migratedFrom: number | null;
  /**
   * Acknowledged entries may be missing, or an earlier version read less from the transcripts: the transcripts that
   * still exist must be read again from their beginning.
   */
  readonly reread: boolean;
}

/** @param known the version of a ledger after all steps */
export function reportOpening(
  loaded: LoadedLedger,
  known: number,
  setAside: readonly SetAside[],
): OpeningReport {
  const { snapshot, journal, unfitting, found, faults } = loaded;
  const isShort = journal.lost > 0 || journal.damagedLines > 0 || journal.unreadable > 0;
  const isUnread = journal.faulty.length > 0 || unfitting.length > 0;
  const isOld = mustReread(loaded);
  return {
    snapshot,
    setAside,
    journal,
    unfitting,
    migratedFrom: found !== null && found.version < known ? found.version : null,
    reread: isShort || isUnread || isOld || (snapshot === "none" && faults.length > 0),
  };
}

/** Whether this version reads transcripts better than the version that wrote the ledger, so that they are read again. */
export function mustReread({ found }: Pick<LoadedLedger, "found">): boolean {
  return found !== null && found.version > 0 && found.version < firstVersion;
}

/** The report in words, one line for each fact the user should know; empty when all is well. */
export function describeOpening(report: OpeningReport): Sentence[] {
  const { journal, setAside, unfitting, migratedFrom } = report;
  const says = (isSo: boolean, words: Sentence) => (isSo ? [words] : []);
  return [
    ...setAside.map(({ path, reason, now }) =>
      now === null
        ? sentence("{0} is damaged ({1})", path, reason)
        : sentence("{0} was damaged ({1}); it is kept as {2}", path, reason, now),
    ),
    ...says(
      setAside.length > 0 && report.snapshot === "previous",
      sentence("The snapshot before it and the journal made it again"),
    ),
    ...journal.faulty.map(({ path, reason }) =>
      sentence("{0} could not be read in full ({1})", path, reason),
    ),
    ...says(
      journal.tornBytes > 0,
      plural(
        journal.tornBytes,
        sentence("1 byte of an unfinished write was dropped"),
        sentence("{0} bytes of an unfinished write were dropped", journal.tornBytes),
      ),
    ),
    ...says(
      journal.lost > 0,
      plural(
        journal.lost,
        sentence("1 entry of the journal is missing"),
        sentence("{0} entries of the journal are missing", journal.lost),
      ),
    ),
    ...says(
      journal.unreadable > 0,
      plural(
        journal.unreadable,
        sentence("1 entry is of a kind this version does not know"),
        sentence("{0} entries are of a kind this version does not know", journal.unreadable),
      ),
    ),
    ...unfitting.map((words) => sentence("An entry was left out: {why}", { why: words })),
    ...says(
      migratedFrom !== null,
      sentence("The ledger was migrated from schema {0}; a copy of it is kept", migratedFrom ?? 0),
    ),
    ...says(report.reread, sentence("The transcripts still there are read again")),
  ];
}
