import type { Level, LevelName } from "./budget.ts";

/** A limit that holds for a call, with the budget it is written in. */
export interface Limit extends Level {
  readonly level: LevelName;
  readonly warnPercent: number;
  /** The budget's convoy: of a project's limit, it may be another than the call's. */
  readonly from: string;
}
