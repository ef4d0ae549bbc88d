import { existsSync } from "node:fs";
import path from "node:path";
import { sha256Base64Url } from "../../base/hash.ts";
import { writeAtomically } from "../../base/files.ts";
import { realPathOf } from "../../base/paths.ts";
import { succeed } from "../../base/result.ts";
import { onDisk, type Budgeted } from "../faults.ts";
import { FileSpending, type FileSpendingPorts } from "./spending-file.ts";
import { mergedTotals, type SessionTotals } from "./session-totals.ts";
import type { Changed, SpendingStore } from "./spending-store.ts";
import type { Spending } from "./spending.ts";

/** Place of spending that may not be written to its project. */
export interface ApartPlace {
  /** A folder of purser's own, with one folder for each project. */
  readonly folder: string;
  /**
   * Whether the project is trusted, for the service, which agents' hooks call in whatever folder they work. Null for a person's own
   * command, which may write to the project.
   */
  readonly isTrusted: ((project: string) => boolean) | null;
}

/**
 * Spending of a project, in its own folder or in purser's home. A cloned repository may have budgets that its
 * user never looked at, so the service writes nothing there. All readers read both places, so that limits
 * hold wherever something was written. A person's command that changes budgets or spending writes to the
 * project, and so does the service from then on. Only people's commands record callers' usage, so only
 * reservations and ledgers' totals are ever in purser's home.
 */
export class PlacedSpending implements SpendingStore {
  readonly folders: readonly string[];
  readonly #project: string;
  readonly #apartFolder: string;
  /** Written when a person's command changes budgets or spending of the project. */
  readonly #note: string;
  readonly #place: ApartPlace;
  readonly #ports: FileSpendingPorts;
  readonly #inProject: FileSpending;
  readonly #apart: FileSpending;

  constructor(ports: FileSpendingPorts, place: ApartPlace) {
    this.#ports = ports;
    this.#project = ports.project;
    this.#place = place;
    const key = sha256Base64Url(realPathOf(this.#project), 22);
    this.#apartFolder = path.join(place.folder, key);
    this.#note = path.join(this.#apartFolder, "in-project");
    this.#inProject = new FileSpending(ports);
    this.#apart = new FileSpending(ports, this.#apartFolder);
    this.folders = [...this.#inProject.folders, this.#apartFolder];
  }

  async read(): Promise<Budgeted<Spending>> {
    const [own, apart] = [await this.#inProject.read(), await this.#apart.read()];
    if (!own.ok) return own;
    return apart.ok ? succeed(joined(own.value, apart.value)) : apart;
  }

  async update<Value>(change: (spending: Spending) => Changed<Value>): Promise<Budgeted<Value>> {
    const isInProject = this.#isInProject();
    if (this.#place.isTrusted === null) await this.noteUse();
    const [at, other] = isInProject ? [this.#inProject, this.#apart] : [this.#apart, this.#inProject];
    const beside = await other.read();
    if (!beside.ok) return beside;
    return await at.update((spending) => {
      const all = joined(spending, beside.value);
      const changed = change(all);
      if (changed.spending === all) return { spending, value: changed.value };
      const leases = changed.spending.leases.filter((lease) => !beside.value.leases.includes(lease));
      const { usage, recorded } = isInProject ? changed.spending : spending;
      return { spending: { ...changed.spending, leases, usage, recorded }, value: changed.value };
    });
  }

  async writeTotals(ledgerId: string, sessions: readonly SessionTotals[]): Promise<Budgeted<null>> {
    if (!this.#isInProject()) return await this.#apart.writeTotals(ledgerId, sessions);
    const written = await this.#inProject.writeTotals(ledgerId, sessions);
    return written.ok ? await this.#apart.removeTotals(ledgerId) : written;
  }

  async totalsBy(ledgerId: string): Promise<readonly SessionTotals[]> {
    return mergedTotals([await this.#inProject.totalsBy(ledgerId), await this.#apart.totalsBy(ledgerId)]);
  }

  hasTotalsBy(ledgerId: string): Promise<boolean> {
    return (this.#isInProject() ? this.#inProject : this.#apart).hasTotalsBy(ledgerId);
  }

  /**
   * Records that a person's command changes this project's budgets or spending. If the system refuses it, the
   * service keeps writing to its own place, and nothing is lost, as all readers read both.
   */
  async noteUse(): Promise<void> {
    if (existsSync(this.#note)) return;
    await onDisk(this.#note, async () => {
      await this.#ports.files.makeFolder(this.#apartFolder);
      await writeAtomically(this.#note, Buffer.from(`${this.#project}\n`), this.#ports);
      return succeed(null);
    });
  }

  #isInProject(): boolean {
    const { isTrusted } = this.#place;
    return isTrusted === null || isTrusted(this.#project) || existsSync(this.#note);
  }
}

function joined(one: Spending, other: Spending): Spending {
  return {
    usage: [...one.usage, ...other.usage],
    leases: [...one.leases, ...other.leases],
    recorded: [...one.recorded, ...other.recorded],
    totals: mergedTotals([one.totals, other.totals]),
  };
}
