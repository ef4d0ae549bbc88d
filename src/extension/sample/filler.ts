/** Text of a made-up project, as long as wanted: what a tool printed, or what an agent thought. */
export type FillerKind = "code" | "prose" | "log";

const names = ["berth", "booking", "tide", "quay", "ledger", "season", "mooring", "harbor", "keel", "dates"];
const verbs = ["find", "count", "move", "check", "list", "read", "shift", "close", "open", "merge"];
const sentences = [
  "The table keeps its heading while the rows scroll, so the first column must stay in view.",
  "A booking that begins at midnight belongs to the day that it begins on, also in winter.",
  "The ledger sums by month; a refund is its own row and is never netted with the booking.",
  "Two callers pass a local time, one passes universal time: the conversion belongs at the door.",
  "The test covers the day on which the clock changes, and the day before and after it.",
  "If a berth is closed for repair, its bookings move to the next free one of the same length.",
];

/** Returns about as many characters as wanted, and always the same for the same seed. */
export function fillerText(characters: number, kind: FillerKind, seed: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let at = 0; length < characters; at++) {
    const part = line(kind, seed * 31 + at * 7, at);
    parts.push(part);
    length += part.length + (at === 0 ? 0 : 1);
  }
  return parts.join(kind === "prose" ? " " : "\n").slice(0, Math.max(0, Math.round(characters)));
}

function line(kind: FillerKind, number: number, at: number): string {
  const pick = (list: readonly string[], step: number) => list[(number * step + at) % list.length] ?? "";
  const [noun, other, verb] = [pick(names, 3), pick(names, 7), pick(verbs, 5)];
  switch (kind) {
    case "prose":
      return pick(sentences, 1);
    case "log":
      return `ok ${at + 1} - ${verb}s the ${noun} of ${other} ${(number % 89) + 10} (${(number % 40) / 10} ms)`;
    case "code":
      return at % 6 === 0
        ? `export function ${verb}${capital(noun)}(${other}: ${capital(other)}, day: Day): ${capital(noun)}[] {`
        : at % 6 === 5
          ? "}"
          : `  const ${noun}${at} = ${verb}${capital(other)}(${other}, day.plus(${number % 31})); // ${verb} by ${noun}`;
  }
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
