/** Seeded randomness: the same seed gives the same corpus on every machine. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Median 1. */
  logNormal(sigma: number): number;
  /** Hexadecimal digits. */
  hex(length: number): string;
  uuid(): string;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const hex = (length: number) => Array.from({ length }, () => below(16).toString(16)).join("");
  return {
    next,
    below,
    hex,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    logNormal: (sigma) =>
      Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

/** Source of text snippets. */
export interface TextPool {
  /** Sentences. */
  prose(length: number): string;
  /** Lines of source code, with quotes, escapes, tabs and occasionally a non-ASCII character. */
  code(length: number): string;
  /** Letters and digits without spaces, like signatures. */
  opaque(length: number): string;
}

const words =
  "the a cargo hold ledger port tide crew signal anchor deck mast sail wind chart star north bearing keel hull rope barrel stores water bread oil lamp watch log knot fathom harbour manifest tally purser quarter master".split(
    " ",
  );
const lines = [
  'export function stow(item: Cargo, hold = "fore"): Berth {',
  "\tconst place = berths.find((berth) => berth.free >= item.weight);",
  '  if (place === undefined) throw new Error(`no room for "${item.name}"`);',
  "  return { ...place, free: place.free - item.weight };",
  "}",
  "",
  "     12→  // ¼ of the stores stay ashore – see the manifest",
  "src/hold/berth.ts:48:17 - error: 'weight' is possibly undefined",
  '{"name":"berth","usage":{"input_tokens":12,"output_tokens":7}}',
  "  ✓ keeps the tally when two crews load at once (12 ms)",
  "diff --git a/src/hold/berth.ts b/src/hold/berth.ts",
  "@@ -40,7 +40,9 @@ class Hold {",
  "-  readonly tally = new Map<string, number>();",
  '+  readonly tally: Map<string, number> = new Map([["bread", 12]]);',
  String.raw`C:\\ships\\argo\\hold.log  matched /\d+\s"kg"/`,
] as const;

export function textPool(random: Random): TextPool {
  const size = 1 << 20;
  const fill = (piece: () => string) => {
    const pieces: string[] = [];
    for (let length = 0; length < size;) {
      const next = piece();
      pieces.push(next);
      length += next.length;
    }
    return pieces.join("");
  };
  const prose = fill(() => `${words[random.below(words.length)] ?? ""}${random.chance(0.09) ? ". " : " "}`);
  const code = fill(
    () => `${lines[random.below(lines.length)] ?? ""}${random.chance(0.3) ? ` // ${random.hex(6)}` : ""}\n`,
  );
  const opaque = fill(() => Buffer.from(random.hex(48)).toString("base64"));
  const cut = (text: string) => (length: number) => {
    const start = random.below(Math.max(1, size - length));
    return text.slice(start, start + length);
  };
  return { prose: cut(prose), code: cut(code), opaque: cut(opaque) };
}
