/** The match of an ID, or of the start of one. */
export type NamedByStart<Item> =
  | { readonly kind: "one"; readonly item: Item }
  | { readonly kind: "none" }
  /** `count` different IDs begin with it. */
  | { readonly kind: "several"; readonly count: number };

/**
 * Finds the item that a person names by its ID or by the start of it. A whole ID wins over longer ones that begin with it,
 * and several items with one ID, such as the runs of a session, are one name: the last of them is returned.
 */
export function namedByStart<Item>(
  items: readonly Item[],
  wanted: string,
  idOf: (item: Item) => string,
): NamedByStart<Item> {
  if (wanted === "") return { kind: "none" };
  const exact = items.findLast((item) => idOf(item) === wanted);
  if (exact !== undefined) return { kind: "one", item: exact };
  const byId = new Map(
    items.filter((item) => idOf(item).startsWith(wanted)).map((item) => [idOf(item), item]),
  );
  const [item] = byId.values();
  if (item === undefined) return { kind: "none" };
  return byId.size === 1 ? { kind: "one", item } : { kind: "several", count: byId.size };
}
