import type { ProcessState, ProcessTable } from "../../../../src/engine/bench/execute/process-table.ts";
import { markName } from "../../../../src/engine/bench/drivers/run-environment.ts";

/** The life of a simulated process. Times are ticks of the machine. */
export interface Life {
  /** Ticks after its parent's birth. */
  readonly after: number;
  /** Ticks its program takes to load. */
  readonly loads: number;
  /** Its age when it ends by itself. Null for never. */
  readonly lives: number | null;
  /** Ticks it takes to end after being killed. */
  readonly dies: number;
  /** Its parent never collects its exit code, so it stays listed. */
  readonly isKept: boolean;
  readonly children: readonly Life[];
}

interface Pretended {
  readonly id: number;
  readonly isMarked: boolean;
  readonly life: Life;
  readonly born: number;
  unborn: Life[];
  killedAt: number | null;
}

/** A simulated machine on which a tick passes with every query. Processes do as planned until they are killed. */
export class FakeProcessTable implements ProcessTable {
  readonly killed = new Set<number>();
  readonly #mark: string;
  #processes: Pretended[] = [];
  #now = 0;
  #nextId = 1000;

  constructor(mark: string) {
    this.#mark = mark;
  }

  begin(life: Life, isMarked: boolean): void {
    // Ids decrease as often as they increase, so a list read in order has already passed some of them.
    const id = this.#nextId % 2 === 0 ? 2000 - this.#nextId : this.#nextId;
    this.#nextId += 1;
    const born = this.#now;
    this.#processes.push({ id, isMarked, life, born, unborn: [...life.children], killedAt: null });
  }

  /** Number of marked processes that can still do something, now or later. */
  get alive(): number {
    return this.#processes.filter((each) => each.isMarked && this.#endOf(each) > this.#now).length;
  }

  pass(moments: number): void {
    for (let passed = 0; passed < moments; passed += 1) this.#pass();
  }

  ids(): Promise<readonly number[]> {
    this.#pass();
    return Promise.resolve(this.#processes.filter((each) => this.#isListed(each)).map(({ id }) => id));
  }

  inspect(id: number): Promise<ProcessState> {
    this.#pass();
    const found = this.#processes.find((each) => each.id === id);
    return Promise.resolve(found === undefined ? { kind: "gone" } : this.#seen(found));
  }

  kill(id: number): boolean {
    this.#pass();
    this.killed.add(id);
    const found = this.#processes.find((each) => each.id === id);
    if (found !== undefined) found.killedAt ??= this.#now;
    return true;
  }

  rest(): Promise<void> {
    this.#pass();
    return Promise.resolve();
  }

  isMarked(id: number): boolean {
    return this.#processes.some((each) => each.id === id && each.isMarked);
  }

  #pass(): void {
    this.#now += 1;
    for (const parent of [...this.#processes]) {
      if (parent.killedAt !== null || this.#endOf(parent) <= this.#now) continue;
      const due = parent.unborn.filter(({ after }) => parent.born + after <= this.#now);
      parent.unborn = parent.unborn.filter((life) => !due.includes(life));
      for (const life of due) this.begin(life, parent.isMarked);
    }
  }

  #endOf({ born, life, killedAt }: Pretended): number {
    const byItself = life.lives === null ? Infinity : born + life.lives;
    return Math.min(byItself, killedAt === null ? Infinity : killedAt + life.dies);
  }

  #isListed(each: Pretended): boolean {
    return each.life.isKept || this.#endOf(each) > this.#now;
  }

  #seen(each: Pretended): ProcessState {
    const { born, life, isMarked, killedAt } = each;
    if (this.#endOf(each) <= this.#now) return { kind: life.isKept ? "ended" : "gone" };
    if (killedAt !== null && this.#now - killedAt > life.dies / 2) return { kind: "ending" };
    if (this.#now < born + life.loads) return { kind: "loading" };
    return { kind: "running", environment: ["LANG=C", ...(isMarked ? [`${markName}=${this.#mark}`] : [])] };
  }
}
