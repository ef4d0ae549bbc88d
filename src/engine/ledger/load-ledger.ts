import { fail, succeed, type Result } from "../base/result.ts";
import { Database } from "./database.ts";
import { EntryWriter } from "./entry-writer.ts";
import { readJournal, type JournalReading } from "./journal-reader.ts";
import type { JournalEntry } from "./journal-line.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import type { SnapshotFault, SnapshotStore, StorePorts } from "./snapshot-store.ts";

/** A ledger's content in memory, before anything writes to it, and how it was found. */
export interface LoadedLedger {
  readonly db: Database;
  readonly writer: EntryWriter;
  /** The snapshot it began with. */
  readonly snapshot: "current" | "previous" | "none";
  readonly faults: readonly SnapshotFault[];
  readonly journal: JournalReading;
  /** Why entries fit into no table: bugs of purser. */
  readonly unfitting: readonly string[];
  /** The snapshot as it was found: its schema, the number of its last entry, its bytes. Null without one. */
  readonly found: { readonly version: number; readonly applied: number; readonly bytes: Uint8Array } | null;
}

interface LoadInput {
  readonly store: SnapshotStore;
  readonly ports: StorePorts;
  readonly journalFolder: string;
  /** The migrations. */
  readonly steps: readonly string[];
}

/** Loads the best snapshot, migrates it in memory and replays the journal. Changes nothing on disk. */
export async function loadLedger(input: LoadInput): Promise<Result<LoadedLedger, "migration_failed">> {
  const { store, ports, journalFolder, steps } = input;
  const { snapshot, isCurrent, faults } = await store.load();
  const db = snapshot?.db ?? new Database(ports.engine, null);
  const found = snapshot === null ? null : { ...snapshot, version: schemaVersion(db) };
  const failure = fault(() => migrate(db, steps));
  if (failure !== null) {
    db.close();
    return fail("migration_failed", `${store.current} (schema ${found?.version ?? 0}): ${failure}`);
  }
  const writer = new EntryWriter(db);
  const unfitting: string[] = [];
  const journal = await readJournal(
    { folder: journalFolder, files: ports.files, applied: snapshot?.applied ?? 0 },
    (entries) => void unfitting.push(...replay(writer, entries)),
  );
  const kind = isCurrent ? "current" : "previous";
  const origin = snapshot === null ? "none" : kind;
  return succeed({ db, writer, snapshot: origin, faults, journal, unfitting, found });
}

/** Replays entries together, or, should one not fit, each by itself: refusing to open for one entry would help nobody. */
function replay(writer: EntryWriter, entries: readonly JournalEntry[]): string[] {
  const whole = fault(() =>
    writer.write(
      entries.map(({ entry }) => entry),
      entries.at(-1)?.number ?? 0,
    ),
  );
  if (whole === null) return [];
  return entries.flatMap(({ number, entry }) => {
    const reason = fault(() => writer.write([entry], number));
    return reason === null ? [] : [`entry ${number} (${entry.kind}): ${reason}`];
  });
}

function fault(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return String(error);
  }
}
