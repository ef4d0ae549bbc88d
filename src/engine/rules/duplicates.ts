function trigramsOf(text: string): ReadonlySet<string> {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  const padded = Array.from(`  ${words} `);
  const trigrams = new Set<string>();
  for (let start = 0; start + 3 <= padded.length; start += 1)
    trigrams.add(padded.slice(start, start + 3).join(""));
  return trigrams;
}

/** Jaccard similarity of two sets of trigrams: 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const trigram of one) if (other.has(trigram)) shared += 1;
  const together = one.size + other.size - shared;
  return together === 0 ? 1 : shared / together;
}

interface Similar<Item> {
  readonly item: Item;
  /** 0 to 1. */
  readonly likeness: number;
}

/**
 * Returns the items with similar text, the most similar first.
 * @param minimum likeness to exceed, 0 to 1
 */
export function similarTo<Item>(
  text: string,
  items: readonly Item[],
  { textOf, minimum }: { readonly textOf: (item: Item) => string; readonly minimum: number },
): Similar<Item>[] {
  const wanted = trigramsOf(text);
  return items
    .map((item) => ({ item, likeness: likeness(wanted, trigramsOf(textOf(item))) }))
    .filter((found) => found.likeness > minimum)
    .toSorted((one, other) => other.likeness - one.likeness);
}
