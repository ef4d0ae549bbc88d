/**
 * One figure of a life: true and false are counted as a share, a number is averaged, a list counts each of its entries.
 * Null, or an empty list, says that the life has nothing to say about it.
 */
type Measure = boolean | number | null | readonly boolean[] | readonly number[];
export type LifeFigures = Readonly<Record<string, Measure>>;

/** A line of the result, made from one figure of all lives. */
export interface Line {
  /** Key in `LifeFigures`. */
  readonly key: string;
  readonly name: string;
  /** How a mean is printed. Counted figures are always percents. */
  readonly unit?: "percent" | "millions" | "number";
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number } | { readonly within: number };
}

/**
 * A simulated question with its goals: one file in `scenarios`, that exports it as `scenario`. Each file is found
 * by its name, so that nothing else lists them.
 */
export interface Scenario {
  /** One sentence. */
  readonly title: string;
  readonly lines: readonly Line[];
  /** One life under today's procedure. */
  readonly now: (seed: number) => Promise<LifeFigures> | LifeFigures;
  /** The same life under the procedure of before; or that procedure's figures, by key, if the code is gone. */
  readonly before?: ((seed: number) => Promise<LifeFigures> | LifeFigures) | Readonly<Record<string, string>>;
  /** Lives without `--lives`: 1,000 where absent. */
  readonly lives?: number;
}
