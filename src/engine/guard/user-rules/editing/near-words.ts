/** Returns the known words that are most like a word, best first. */
export function nearWords(word: string, known: Iterable<string>, most = 3): string[] {
  const least = Math.max(2, Math.floor(word.length / 3));
  return [...known]
    .map((each) => ({ each, distance: distanceOf(word, each, least) }))
    .filter(({ distance }) => distance <= least)
    .toSorted((a, b) => a.distance - b.distance || (a.each < b.each ? -1 : 1))
    .slice(0, most)
    .map(({ each }) => each);
}

/** Number of letters to change, add or leave out; more than `most` is not reckoned further. */
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index += 1) {
      const isSame = one[at] === other[index];
      next.push(
        Math.min((row[index] ?? 0) + (isSame ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      );
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[other.length] ?? most + 1;
}
