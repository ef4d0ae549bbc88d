import { t } from "../../engine/base/language.ts";
import type { Move } from "./list/list-entries.ts";

export type Command =
  | { readonly kind: "move"; readonly move: Move }
  | { readonly kind: "approve" | "reject" | "edit" | "protect" | "undo" }
  /** Open goes from the list to the chosen entry. Back returns to the list. */
  | { readonly kind: "open" | "back" | "legend" | "filter" }
  /** Selects the entry beside others; all that are listed; or the next one, too. */
  | { readonly kind: "mark" | "markAll" }
  | { readonly kind: "markTo"; readonly move: Move };

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
  x: { kind: "mark" },
  "/": { kind: "filter" },
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
  " ": { kind: "mark" },
};

/** Keys of the list with Shift. */
const withShift: Readonly<Record<string, Command>> = {
  ArrowDown: { kind: "markTo", move: 1 },
  ArrowUp: { kind: "markTo", move: -1 },
  Home: { kind: "markTo", move: "first" },
  End: { kind: "markTo", move: "last" },
};

/** A key with its modifiers. */
type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** The command of a key; null if it has none. @param isInList whether an entry of the list has the focus */
export function commandOf(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Pressed,
  isInList: boolean,
): Command | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) return isInList && key === "a" ? { kind: "markAll" } : null;
  const held = shiftKey && isInList ? withShift[key] : undefined;
  return held ?? (isInList ? inList[key] : undefined) ?? everywhere[key] ?? null;
}

/** The keys as the legend shows them. */
export const legend: readonly (readonly [keys: readonly string[], what: string])[] = [
  [["↑", "↓"], t("Previous or next entry of the list")],
  [["k", "j"], t("The same from anywhere")],
  [["Home", "End"], t("First or last entry")],
  [["Enter"], t("Go to the rule")],
  [["Esc"], t("Back to the list")],
  [["a"], t("Approve")],
  [["r"], t("Reject, with a reason")],
  [["e"], t("Edit")],
  [["p"], t("Protect, or do not")],
  [["u"], t("Undo")],
  [["x"], t("Select, to decide about several at once")],
  [["Shift", "↓"], t("Select the next one, too")],
  [["Ctrl", "a"], t("Select all that are listed")],
  [["/"], t("Filter the list")],
  [["?"], t("Show or hide these keys")],
];

/** Whether any of an element is visible in its scrolling pane. */
export function isInSight(part: Element, pane: Element | null): boolean {
  if (pane === null) return false;
  const [own, around] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  return own.bottom > around.top && own.top < around.bottom;
}

/** Whether all of an element is visible in its scrolling pane, or its start if it is larger than the pane. */
export function isReadable(part: Element, pane: Element): boolean {
  const [own, around] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  // Allow for rounding of fractional pixels.
  const isWhole = own.bottom <= around.bottom + 1 || own.height > around.height;
  return own.top >= around.top - 1 && isWhole;
}
