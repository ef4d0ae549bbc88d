/** The ratio of neighbouring durations, which keeps every figure within 5 %. */
const step = 1.1;
/** Milliseconds; shorter durations count as this. */
const least = 0.01;
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
    const index = Math.round(Math.log(Math.max(duration, least) / least) / Math.log(step));
    const known = Math.min(index, last);
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1);
  }

  /** Each duration in milliseconds, as often as it was counted. */
  *durations(): Generator<number> {
    for (const [index, count] of this.#counts)
      for (let number = 0; number < count; number += 1) yield least * step ** index;
  }

  text(): string {
    const sorted = [...this.#counts].sort(([one], [other]) => one - other);
    return sorted.map(([index, count]) => `${index}:${count}`).join(" ");
  }
}
