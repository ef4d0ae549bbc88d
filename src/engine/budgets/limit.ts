import type { Level, LevelName } from "./budget.ts";

/** A limit that applies to a call, with the budget that defines it. */
export interface Limit extends Level {
  readonly level: LevelName;
  readonly warnPercent: number;
  /** The budget's convoy: for a project's limit, possibly another than the call's. */
  readonly from: string;
}
