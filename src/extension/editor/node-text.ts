import { isolated, cleanText, shorten } from "../../engine/base/text.ts";

/** Everything shown by an item of a view, as plain data: equal texts look the same. */
export interface NodeText {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** A theme colour for the icon. */
  readonly color?: string | undefined;
  /** Matched by the manifest's menus: words separated by spaces. */
  readonly contextValue: string;
  /** For a screen reader, where the label and description are not enough. */
  readonly spoken?: string;
  readonly tooltip?: string;
}

/** The kind of a node, which a view passes to the commands in its menus. Empty for any other value. */
export function kindOf(target: unknown): string {
  const isNode = typeof target === "object" && target !== null && "kind" in target;
  return isNode && typeof target.kind === "string" ? target.kind : "";
}

const maxLabelLength = 60;

/** Outside text, which may run from right to left, as a part of a row. */
export function rowPart(text: string, length = maxLabelLength): string {
  return isolated(shorten(cleanText(text), length));
}

export function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" · ");
}
