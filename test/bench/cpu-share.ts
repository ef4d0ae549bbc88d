import { existsSync, readFileSync } from "node:fs";

const source = "/proc/stat";

/** Processor time since the system started, in ticks, in the order of `/proc/stat`. */
function readTicks(): readonly number[] {
  const [all = ""] = readFileSync(source, "utf8").split("\n", 1);
  // user nice system idle iowait irq softirq steal; the guest time after them is already part of user.
  return all.split(/\s+/u).slice(1, 9).map(Number);
}

/**
 * Starts counting; the returned function describes what share of the processors' time was busy and what share the machine's host gave to others.
 * Linux only.
 */
export function watchCpu(): () => string {
  if (!existsSync(source)) return () => "CPU time that the host took: unknown on this system";
  const before = readTicks();
  return () => {
    const spent = readTicks().map((ticks, index) => ticks - (before[index] ?? 0));
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = spent;
    const all = spent.reduce((sum, ticks) => sum + ticks, 0);
    const percent = (ticks: number) => `${((100 * ticks) / all).toFixed(1)} %`;
    return `CPU time: ${percent(steal)} taken by the machine's host, ${percent(user + nice + system + irq + softirq)} at work, by whatever runs here`;
  };
}

const every = 10; // ms between two samples, as long as a tick

/** Samples, until stopped, whether the machine's host takes processor time. */
export class StolenTime {
  readonly #seen: { readonly at: number; readonly ticks: number }[] = [];
  readonly #timer: NodeJS.Timeout | undefined;

  constructor() {
    if (!existsSync(source)) return;
    const look = () => this.#seen.push({ at: Date.now(), ticks: readTicks()[7] ?? 0 });
    look();
    this.#timer = setInterval(look, every);
  }

  /**
   * Whether the host took any between two times of the clock, including one sample beyond each end; undefined where the system does not report it.
   */
  wasAny(from: number, to: number): boolean | undefined {
    if (this.#timer === undefined) return undefined;
    const before = this.#seen.findLast(({ at }) => at <= from) ?? this.#seen[0];
    const after = this.#seen.find(({ at }) => at >= to) ?? this.#seen.at(-1);
    return before?.ticks !== after?.ticks;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
