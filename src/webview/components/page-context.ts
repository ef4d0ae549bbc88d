/** Why the host has no answer. Its message names what failed, and the reason. */
export interface Trouble {
  readonly type: "error" | "offline";
  readonly message: string;
}

/** Actions that may resolve it. */
export interface Remedies {
  retry(): void;
  showLog(): void;
}

/** The part of a panel's model that every page has. */
export interface PageModel {
  /** The state that outlives a hidden panel and a reload of the window. Pages that scroll as a whole store their scroll position. */
  readonly kept: object & { readonly scroll?: number };
  readonly trouble: Trouble | null;
  /** A button was pressed, and its effect is pending. Pages without such buttons leave it out. */
  readonly isBusy?: boolean;
}

/** Actions that every page offers. */
export interface PageActions extends Remedies {
  /** Goes one page back. */
  back(): void;
  /** Shows a chart as a table, or as a chart again. */
  toggleTable(chart: string): void;
}

/** Everything that the parts of a page are rendered from. */
export interface PageContext<Model, Actions> {
  readonly model: Model;
  readonly actions: Actions;
  /** Charts currently shown as tables. */
  readonly tables: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
