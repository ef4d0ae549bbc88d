/** Names that are much longer are not compared. Characters. */
const maxComparedLength = 120;
/** Maximum suggestions: several names may be equally near. */
const maxSuggestions = 3;

/**
 * Returns the number of letters that one has to add, leave out, change or exchange with their neighbour to make one word of another; more
 * than the limit where it is more.
 */
function editDistance(one: string, other: string, limit: number): number {
  const tooFar = limit + 1;
  if (Math.abs(one.length - other.length) > limit) return tooFar;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    let least = at;
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      let cost = Math.min(
        (last[to] ?? tooFar) + 1,
        (row[to - 1] ?? tooFar) + 1,
        (last[to - 1] ?? tooFar) + (isSame ? 0 : 1),
      );
      if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1])
        cost = Math.min(cost, (before[to - 2] ?? tooFar) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return tooFar;
    [before, last] = [last, row];
  }
  return last[other.length] ?? tooFar;
}

/** Returns the candidates nearest to a misspelled name, nearest first; an empty list if no candidate is similar enough. */
export function nearestOf(name: string, candidates: Iterable<string>, most = maxSuggestions): string[] {
  const own = comparable(name);
  if (own.length > maxComparedLength) return [];
  const limit = own.length < 3 ? 1 : Math.min(3, Math.ceil(own.length / 3));
  const words = wordsOf(own);
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name || candidate.length > maxComparedLength) continue;
    const other = comparable(candidate);
    const distance = editDistance(own, other, limit);
    if (distance <= limit && distance < own.length) found.push({ candidate, distance });
    else if (isPart(own, other) || isPart(other, own)) found.push({ candidate, distance: limit + 1 });
    else if (words !== "" && wordsOf(other) === words) found.push({ candidate, distance: 1 });
  }
  const sorted = found.toSorted(
    (one, other) => one.distance - other.distance || one.candidate.length - other.candidate.length,
  );
  const least = sorted[0]?.distance ?? 0;
  return sorted
    .filter(({ distance }) => distance <= least + 1)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function comparable(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** Minimum length of a name's part: shorter parts do not distinguish names. Characters. */
const minPartLength = 3;

function isPart(part: string, whole: string): boolean {
  return part.length >= minPartLength && part.length * 3 >= whole.length && whole.includes(part);
}

/**
 * Returns the same text for names that differ only in the order of words or in separators. Empty for a single
 * word.
 */
function wordsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  return words.length < 2 ? "" : words.toSorted().join(" ");
}
