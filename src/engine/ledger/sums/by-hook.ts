import { maybeNumberIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { SummedBefore } from "./summed-before.ts";

/** The ratio of neighbouring durations, so that every figure is accurate within 5 %. */
const step = 1.1;
/** Minimum duration; shorter ones count as this. Milliseconds. */
const minDuration = 0.01;
/** The last step: more than a year. */
const last = 300;

/** Counts of approximate durations. As text: `12:3 40:1`, pairs of a duration's step and its count. */
export class DurationCounts {
  readonly #counts = new Map<number, number>();

  /** @param text from `text()`; empty by default */
  constructor(text = "") {
    for (const each of text.split(" ")) {
      const [position, count] = each.split(":").map(Number);
      if (position !== undefined && count !== undefined) this.#counts.set(position, count);
    }
  }

  /** @param duration milliseconds */
  add(duration: number): void {
    const index = Math.round(Math.log(Math.max(duration, minDuration) / minDuration) / Math.log(step));
    const known = Math.min(index, last);
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1);
  }

  /** Each duration in milliseconds, as often as it was counted. */
  *durations(): Generator<number> {
    for (const [index, count] of this.#counts)
      for (let number = 0; number < count; number += 1) yield minDuration * step ** index;
  }

  text(): string {
    const sorted = [...this.#counts].sort(([one], [other]) => one - other);
    return sorted.map(([index, count]) => `${index}:${count}`).join(" ");
  }
}

/** How long single hook events are kept; after that only daily sums (UTC) remain. Milliseconds. */
export const hooksKeptFor = 30 * 86_400_000;
const day = 86_400_000;

/**
 * Replaces hook events from before a time with sums. Repeating it changes nothing, even when the events are appended
 * again: the writer leaves out events from before that time.
 */
export class HookSums {
  readonly #db: Database;
  readonly #summed: SummedBefore;

  constructor(db: Database) {
    this.#db = db;
    this.#summed = new SummedBefore(db, "hooks_summed");
  }

  has(at: number | null | undefined): boolean {
    return this.#summed.has(at);
  }

  /** @param before milliseconds since the epoch */
  sum(before: number): void {
    for (const each of this.#read(before)) this.#add(each);
    this.#db.run("DELETE FROM hook_events WHERE at < ?", [before]);
    this.#summed.set(before);
  }

  /** Drops the cached time, which a rollback may have undone. */
  forget(): void {
    this.#summed.forget();
  }

  #read(before: number): Iterable<HookSum> {
    const sums = new Map<string, HookSum>();
    this.#db.each(
      `SELECT at - ((at % ${day}) + ${day}) % ${day}, coalesce(program, ''), event, coalesce(outcome, ''),
         duration_ms, coalesce(injected_chars, 0)
       FROM hook_events JOIN sessions ON sessions.id = session_id WHERE at < ?`,
      [before],
      (cells) => {
        const names = cells.slice(1, 4).map(textIn);
        const of = [numberIn(cells[0]), ...names];
        const key = JSON.stringify(of);
        let sum = sums.get(key);
        if (sum === undefined)
          sums.set(key, (sum = { of, hooks: 0, injectedChars: 0, durations: this.#durations(of) }));
        sum.hooks += 1;
        sum.injectedChars += numberIn(cells[5]);
        const duration = maybeNumberIn(cells[4]);
        if (duration !== null) sum.durations.add(duration);
      },
    );
    return sums.values();
  }

  #durations(of: HookSum["of"]): DurationCounts {
    const sql = "SELECT durations FROM hook_sums WHERE day = ? AND program = ? AND event = ? AND outcome = ?";
    return new DurationCounts(this.#db.first(sql, of, ([text]) => textIn(text)));
  }

  #add({ of, hooks, injectedChars, durations }: HookSum): void {
    this.#db.run(
      `INSERT INTO hook_sums (day, program, event, outcome, hooks, injected_chars, durations)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET hooks = hooks + excluded.hooks,
         injected_chars = injected_chars + excluded.injected_chars, durations = excluded.durations`,
      [...of, hooks, injectedChars, durations.text()],
    );
  }
}

interface HookSum {
  /** Day, program, event and outcome. */
  readonly of: (string | number)[];
  hooks: number;
  injectedChars: number;
  readonly durations: DurationCounts;
}
