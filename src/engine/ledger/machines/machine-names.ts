import { maybeNumberIn, maybeTextIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import type { LedgerBasis } from "../basis.ts";

/** A machine's label by its id; this machine's id is empty in every row. */
export type MachineNames = ReadonlyMap<string, string>;

export function machineNames(
  db: Database,
  { ownLabel = "this machine" }: Pick<LedgerBasis, "ownLabel">,
): MachineNames {
  const others = db.rows("SELECT id, label FROM machines ORDER BY id", [], ([id, label]) => ({
    id: textIn(id),
    label: textIn(label),
  }));
  const names = new Map([["", ownLabel]]);
  const used = new Set([ownLabel]);
  for (const { id, label } of others) {
    // Two machines of one label stay two.
    const name = used.has(label) ? `${label} (${id.slice(0, 4)})` : label;
    used.add(name);
    names.set(id, name);
  }
  return names;
}

/** The id in the rows for a label or an id; null for all machines. An unknown one has no rows. */
export function machineIdOf(asked: string | null | undefined, names: MachineNames): string | null {
  if (asked === null || asked === undefined) return null;
  for (const [id, name] of names) if (name === asked || (id !== "" && id === asked)) return id;
  return asked;
}

/** Another machine of the user. */
interface MergedMachine {
  readonly id: string;
  readonly label: string;
  readonly cursor: string | null;
  /** Milliseconds since the epoch, by this machine's clock. */
  readonly syncedAt: number | null;
}

export function selectMachines(db: Database): MergedMachine[] {
  return db.rows("SELECT id, label, cursor, synced_at FROM machines ORDER BY id", [], (cells) => ({
    id: textIn(cells[0]),
    label: textIn(cells[1]),
    cursor: maybeTextIn(cells[2]),
    syncedAt: maybeNumberIn(cells[3]),
  }));
}
