import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { succeed } from "../../base/result.ts";
import type { Budget } from "../budget.ts";
import { onDisk, type Budgeted } from "../faults.ts";
import { budgetPlaces, namesIn } from "../places.ts";
import type { BudgetPorts } from "../check/check.ts";
import { listBudgets, type BudgetFolder } from "../convoys/list.ts";
import { nothingSpent, type Spending } from "../spending/spending.ts";
import { Tally } from "../spending/tally.ts";

/** What limits a project's calls, and what was spent of it. */
export interface LimitedProject {
  readonly budgets: readonly Budget[];
  readonly tally: Tally;
}

/** What a project's files said when they were last looked at. */
export interface KnownBudgets {
  readonly folder: Budgeted<BudgetFolder>;
  /** Nothing where nothing is limited. */
  readonly spending: Budgeted<Spending>;
  /** What holds; null where nothing is limited, and a failure where what limits, or what was spent, is not known. */
  readonly limited: Budgeted<LimitedProject> | null;
}

/** Files are not looked at more often than this, however many hooks come. Milliseconds. */
const betweenLooks = 50;
/** They are read again after this even where they seem to be as they were: some file systems tell time in whole seconds. Milliseconds. */
const longestTrust = 2000;

/**
 * One project's budgets and spending, in memory as long as its files stay as they are. A look at them takes a fraction of a
 * millisecond, and reading them a few; hooks come by the dozen a second.
 */
export class BudgetWatch {
  readonly ports: BudgetPorts;
  readonly #now: () => number;
  #known: KnownBudgets | undefined;
  #signs = "";
  #lookedAt = -Infinity;
  #readAt = -Infinity;
  #looking: Promise<KnownBudgets> | undefined;
  /** How often it was forgotten: a look that began before tells nobody who asks after. */
  #forgotten = 0;

  /** @param now milliseconds that are never set back */
  constructor(ports: BudgetPorts, now: () => number) {
    this.ports = ports;
    this.#now = now;
  }

  /** As the files are, or were a few milliseconds ago. */
  read(): Promise<KnownBudgets> {
    if (this.#known !== undefined && this.#now() - this.#lookedAt < betweenLooks)
      return Promise.resolve(this.#known);
    if (this.#looking !== undefined) return this.#looking;
    const looking = this.#look().finally(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    this.#looking = looking;
    return looking;
  }

  /** Something changed them: they are looked at when they are asked for next. */
  forget(): void {
    this.#forgotten += 1;
    this.#looking = undefined;
    this.#lookedAt = -Infinity;
    this.#readAt = -Infinity;
  }

  async #look(): Promise<KnownBudgets> {
    const now = this.#now();
    const forgotten = this.#forgotten;
    // Before they are read: what changes meanwhile is read at the next look.
    const signs = await this.#signsNow();
    const isKnown = signs.ok && signs.value === this.#signs && now - this.#readAt < longestTrust;
    const known = isKnown && this.#known !== undefined ? this.#known : await this.#readAll();
    if (forgotten !== this.#forgotten) return known;
    if (known !== this.#known) {
      this.#known = known;
      this.#signs = signs.ok ? signs.value : "";
      this.#readAt = now;
    }
    this.#lookedAt = now;
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

  /** Names and times of the files. A file of what was spent never changes; there is another one then, and the folder tells. */
  #signsNow(): Promise<Budgeted<string>> {
    const { project, files } = this.ports;
    const { budgets, spending } = budgetPlaces(project);
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
      const places = [budgets, spending, ...names.map((name) => path.join(budgets, name))];
      const times = await Promise.all(places.map(timeOf));
      return succeed(JSON.stringify([names, times]));
    });
  }
}

/**
 * A budget that is damaged may be the one that limits, so nothing is known while there is one. One that the system refuses to read
 * for a reason of its own leaves the others in force.
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
