import path from "node:path";
import { succeed, errorCode } from "../../base/result.ts";
import type { Budget } from "../budget.ts";
import { onDisk, type Budgeted } from "../faults.ts";
import { budgetPaths, namesIn } from "../disk-layout.ts";
import type { BudgetPorts } from "../check/check.ts";
import { listBudgets, type BudgetFolder } from "../convoys/list.ts";
import { nothingSpent, type Spending } from "../spending/spending.ts";
import { Tally } from "../spending/tally.ts";

export interface LimitedProject {
  readonly budgets: readonly Budget[];
  readonly tally: Tally;
}

export interface KnownBudgets {
  readonly folder: Budgeted<BudgetFolder>;
  /** Empty if nothing is limited. */
  readonly spending: Budgeted<Spending>;
  /** The limits and spending; null if nothing is limited, and a failure if the limits or the spending are unknown. */
  readonly limited: Budgeted<LimitedProject> | null;
}

/** Files are not checked more often than this, however many hooks come. Milliseconds. */
const readInterval = 50;
/** Files that seem unchanged are still read again after this: some file systems have times in whole seconds. Milliseconds. */
const maxCacheTtl = 2000;

/**
 * One project's budgets and spending, held in memory as long as its files do not change. Checking them takes a fraction of a millisecond,
 * and reading them a few; hooks come by the dozen a second.
 */
export class BudgetWatch {
  readonly ports: BudgetPorts;
  readonly #now: () => number;
  #known: KnownBudgets | undefined;
  #signs = "";
  #checkedAt = -Infinity;
  #readAt = -Infinity;
  #reading: Promise<KnownBudgets> | undefined;
  /** Number of calls of `forget`: the result of a check that started before the last one is not stored. */
  #forgotten = 0;

  /** @param now milliseconds that are never set back */
  constructor(ports: BudgetPorts, now: () => number) {
    this.ports = ports;
    this.#now = now;
  }

  /** Returns the files' content as of now, or of a few milliseconds ago. */
  read(): Promise<KnownBudgets> {
    if (this.#known !== undefined && this.#now() - this.#checkedAt < readInterval)
      return Promise.resolve(this.#known);
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.#read().finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  /** Discards the known state after a change: the next `read` reads the files again. */
  forget(): void {
    this.#forgotten += 1;
    this.#reading = undefined;
    this.#checkedAt = -Infinity;
    this.#readAt = -Infinity;
  }

  async #read(): Promise<KnownBudgets> {
    const now = this.#now();
    const forgotten = this.#forgotten;
    // Taken before reading, so that the next check finds changes made during it.
    const signs = await this.#signsNow();
    const isKnown = signs.ok && signs.value === this.#signs && now - this.#readAt < maxCacheTtl;
    const known = isKnown && this.#known !== undefined ? this.#known : await this.#readAll();
    if (forgotten !== this.#forgotten) return known;
    if (known !== this.#known) {
      this.#known = known;
      this.#signs = signs.ok ? signs.value : "";
      this.#readAt = now;
    }
    this.#checkedAt = now;
    return known;
  }

  async #readAll(): Promise<KnownBudgets> {
    const folder = await listBudgets(this.ports);
    if (!folder.ok) return { folder, spending: succeed(nothingSpent), limited: folder };
    const { budgets } = folder.value;
    if (budgets.length === 0) return { folder, spending: succeed(nothingSpent), limited: null };
    const spending = await this.ports.spending.read();
    return { folder, spending, limited: limitedBy(folder.value, spending) };
  }

  /** Returns names and times of the files. A spending file never changes in place; a new one changes the folder's time. */
  #signsNow(): Promise<Budgeted<string>> {
    const { project, files, spending } = this.ports;
    const { budgets } = budgetPaths(project);
    const timeOf = async (file: string) => {
      try {
        return await files.modifiedAt(file);
      } catch (error) {
        if (["ENOENT", "ELOOP"].includes(errorCode(error))) return 0;
        throw error;
      }
    };
    return onDisk(budgets, async () => {
      const names = await namesIn(budgets, files);
      if (names.length === 0) return succeed("");
      const paths = [budgets, ...spending.folders, ...names.map((name) => path.join(budgets, name))];
      const times = await Promise.all(paths.map(timeOf));
      return succeed(JSON.stringify([names, times]));
    });
  }
}

/**
 * Returns what limits the project. A damaged budget may be the limiting one, so it makes the limits unknown.
 * A budget that the system refuses to read for its own reason leaves the others in force.
 */
function limitedBy({ budgets }: BudgetFolder, spending: Budgeted<Spending>): KnownBudgets["limited"] {
  const read: Budget[] = [];
  for (const { stored } of budgets) {
    if (stored.ok) read.push(stored.value.budget);
    else if (stored.reason === "corrupt") return stored;
  }
  if (!spending.ok) return spending;
  return succeed({ budgets: read, tally: new Tally(spending.value, read) });
}
