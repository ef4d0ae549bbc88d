import type { Move } from "../order.ts";

export type Command =
  | { readonly kind: "move"; readonly move: Move }
  | { readonly kind: "approve" | "reject" | "edit" | "protect" | "undo" }
  /** Open goes from the list to the chosen entry. Back returns to the list. */
  | { readonly kind: "open" | "back" | "legend" };

/** Page Up and Page Down move this far. Entries. */
const page = 10;

/** Keys that work everywhere except in an input. */
const everywhere: Readonly<Record<string, Command>> = {
  j: { kind: "move", move: 1 },
  k: { kind: "move", move: -1 },
  a: { kind: "approve" },
  r: { kind: "reject" },
  e: { kind: "edit" },
  p: { kind: "protect" },
  u: { kind: "undo" },
  "?": { kind: "legend" },
  Escape: { kind: "back" },
};

/** Keys of the list, as in the editor's lists. Elsewhere they scroll, or press a button. */
const inList: Readonly<Record<string, Command>> = {
  ArrowDown: { kind: "move", move: 1 },
  ArrowUp: { kind: "move", move: -1 },
  Home: { kind: "move", move: "first" },
  End: { kind: "move", move: "last" },
  PageDown: { kind: "move", move: page },
  PageUp: { kind: "move", move: -page },
  Enter: { kind: "open" },
  " ": { kind: "open" },
};

/** The command of a key; null if it has none. @param isInList whether an entry of the list has the focus */
export function commandOf(key: string, isInList: boolean): Command | null {
  return (isInList ? inList[key] : undefined) ?? everywhere[key] ?? null;
}

/** The keys as the legend shows them. */
export const legend: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["↑", "↓"], "Previous or next entry of the list"],
  [["k", "j"], "The same from anywhere"],
  [["Home", "End"], "First or last entry"],
  [["Enter"], "Go to the rule"],
  [["Esc"], "Back to the list"],
  [["a"], "Approve"],
  [["r"], "Reject, with a reason"],
  [["e"], "Edit"],
  [["p"], "Protect, or do not"],
  [["u"], "Undo"],
  [["?"], "Show or hide these keys"],
];
