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
