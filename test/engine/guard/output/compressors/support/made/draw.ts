import { seededRandom } from "../seeded-random.ts";

/** An output in the format of a tool that cannot be run everywhere. Its values are drawn, and no text is another project's. */
export interface MadeOutput {
  readonly name: string;
  readonly command: string;
  /** 0 by default. */
  readonly exitCode?: number;
  readonly lines: (draw: Draw) => readonly string[];
}

const things =
  "berth crane quay tide pilot mast knot reef hull deck bow stern keel buoy anchor rudder jib sail oar cargo lock pier dock gull".split(
    " ",
  );

/** Draws values, equal ones for equal seeds. */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number below a limit. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  pick<Item>(...items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  thing(): string {
    return things[this.below(things.length)] ?? "";
  }

  /** A name such as `tide-pilot`. */
  name(separator = "-"): string {
    return `${this.thing()}${separator}${this.thing()}`;
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join("");
  }

  /** A number with some decimals. */
  decimal(below: number, decimals: number): string {
    return (this.#random() * below).toFixed(decimals);
  }

  rows(count: number, row: (index: number) => string): string[] {
    return Array.from({ length: count }, (_, index) => row(index));
  }

  address(): string {
    return `10.${this.below(8)}.${this.below(256)}.${this.between(1, 254)}`;
  }

  /** A time of one day, as many seconds after its start. */
  time(second: number): string {
    return new Date(Date.UTC(2026, 10, 28, 9) + second * 1000).toISOString().slice(11, 19);
  }
}

/** Writes cells below each other, at least two spaces apart. */
export function table(rows: readonly (readonly string[])[], gap = 3): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + gap))
      .join("")
      .trimEnd(),
  );
}
