/** What a running job adds to the status bar item. */
export interface BenchBadge {
  /** An icon of the editor's own. */
  readonly icon: string;
  /** `7/24`. */
  readonly text: string;
  /** For a screen reader and the tooltip. */
  readonly spoken: string;
  /** The command that leads to it, and its argument. */
  readonly command: string;
  readonly target: string;
}

/** What budgets add to the status bar item. */
export interface BudgetBadge {
  /** State of the worst limit that applies now. */
  readonly severity: "default" | "warning" | "error";
  /** For a screen reader; empty when no limit is near. */
  readonly spoken: string;
  /** Rows of the tooltip's table, for sessions in these folders of the window: name, amount, owner. */
  readonly rows: readonly {
    readonly folders: readonly string[];
    readonly cells: readonly [name: string, value: string, whose: string];
  }[];
}

export const noBadge: BudgetBadge = { severity: "default", spoken: "", rows: [] };
