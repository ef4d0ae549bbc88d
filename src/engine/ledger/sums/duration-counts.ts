/** Two neighbours' durations differ by this factor, so that what is told of one is right within 5 %. */
const step = 1.1;
/** Milliseconds; what took less counts as this. */
const least = 0.01;
/** More than a year. */
const last = 300;

/** How many took about how long. As text: `12:3 40:1`, the numbers of the durations and how many there were. */
export class DurationCounts {
  readonly #counts = new Map<number, number>();

  /** @param text what `text` gave, or nothing */
  constructor(text = "") {
    for (const each of text.split(" ")) {
      const [place, count] = each.split(":").map(Number);
      if (place !== undefined && count !== undefined) this.#counts.set(place, count);
    }
  }

  /** @param duration milliseconds */
  add(duration: number): void {
    const place = Math.round(Math.log(Math.max(duration, least) / least) / Math.log(step));
    const known = Math.min(place, last);
    this.#counts.set(known, (this.#counts.get(known) ?? 0) + 1);
  }

  /** Each duration, in milliseconds, as often as there was one. */
  *durations(): Generator<number> {
    for (const [place, count] of this.#counts)
      for (let number = 0; number < count; number += 1) yield least * step ** place;
  }

  text(): string {
    const sorted = [...this.#counts].sort(([one], [other]) => one - other);
    return sorted.map(([place, count]) => `${place}:${count}`).join(" ");
  }
}
