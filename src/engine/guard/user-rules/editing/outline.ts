import { LineCounter, isMap, isScalar, isSeq, parseDocument, type Node } from "yaml";

/** A part of a `guard.yaml` that is about one rule. Lines begin with 0. */
export interface OutlineItem {
  readonly kind: "set" | "exception" | "rule";
  /** Of the rule that it is about; as it is written. */
  readonly id: string;
  readonly line: number;
  /** Day before which an exception holds: `2026-12-31`. */
  readonly until: string | null;
}

/** Longer files have no outline. Characters. */
const longest = 500_000;

/** Returns the parts of a file, as far as it can be read: it may be half written. */
export function outlineOf(text: string): OutlineItem[] {
  if (text.length > longest) return [];
  const lines = new LineCounter();
  const document = parseDocument(text, { logLevel: "silent", prettyErrors: false, lineCounter: lines });
  const { contents } = document;
  if (!isMap(contents)) return [];
  const at = (node: unknown): number => {
    const range = isScalar(node) || isMap(node) ? node.range : undefined;
    return range === null || range === undefined ? 0 : lines.linePos(range[0]).line - 1;
  };
  const set: unknown = contents.get("set", true);
  const changed = isMap(set)
    ? set.items.flatMap(({ key }) => {
        const id = textOf(key);
        return id === null ? [] : [{ kind: "set", id, line: at(key), until: null } as const];
      })
    : [];
  return [
    ...changed,
    ...itemsOf(contents.get("exceptions", true)).flatMap((item) => {
      const id = isMap(item) ? textOf(item.get("rule", true)) : null;
      if (id === null || !isMap(item)) return [];
      return [{ kind: "exception", id, line: at(item), until: textOf(item.get("until", true)) } as const];
    }),
    ...itemsOf(contents.get("rules", true)).flatMap((item) => {
      const id = isMap(item) ? textOf(item.get("id", true)) : null;
      return id === null ? [] : [{ kind: "rule", id, line: at(item), until: null } as const];
    }),
  ];
}

function itemsOf(node: unknown): readonly unknown[] {
  return isSeq<Node>(node) ? node.items : [];
}

function textOf(node: unknown): string | null {
  if (!isScalar(node)) return null;
  return typeof node.value === "string" ? node.value : null;
}
