import { seededRandom, type SeededRandom } from "../../engine/support/seeded-random.ts";
import type { FileChange } from "../../../src/engine/bench/state/stored-trajectory.ts";
import type { Recording } from "../../../src/engine/bench/state/recording.ts";
import { sha256Hex } from "../../../src/engine/base/hash.ts";

/** The rule of the second side: agents that have it in their memory are scripted to read fewer files. */
export const scriptedRule =
  "Open only the files a task names and those they import; never read a file a second time.";

/** Length in characters of each fixture file that an agent might read, by path. */
export type FixtureSizes = ReadonlyMap<string, number>;

type Run = Recording["sides"][number]["runs"][number];
type Turn = Run["turns"][number];

/** Tokens, based on typical requests of coding agents: the system prompt with its tools, and one tool call. */
const [opening, spreadOfOpening, charactersPerToken] = [14_200, 250, 3.6];

/**
 * One scripted run: explores, reads, edits what the solution changes, runs tests and reports completion. Deterministic for a task,
 * side and round. It models no real model's work; only the size of its figures is realistic.
 */
export function scriptRun(
  {
    task,
    hasRule,
    round,
    outcome,
  }: { readonly task: string; readonly hasRule: boolean; readonly round: number; readonly outcome: number },
  changes: readonly FileChange[],
  sizes: FixtureSizes,
): Run {
  // A round's difficulty is shared by both sides: a pair of runs differs only by the rule and by chance.
  const shared = seededRandom(seedOf(`${task}\n${round}`));
  const own = seededRandom(seedOf(`${task}\n${round}\n${String(hasRule)}`));
  const difficulty = 1 + 0.08 * shared.normal();
  const edited = changes.map(({ path }) => path);
  const reads = readsOf(edited, sizes, { hasRule, difficulty, own });
  const script = new Script(
    own,
    opening + (hasRule ? Math.ceil(scriptedRule.length / charactersPerToken) : 0),
  );
  script.call("Grep", firstWord(edited[0] ?? task), 900 + own.below(700));
  for (const file of reads) script.call("Read", file, (sizes.get(file) ?? 1200) * 1.25);
  for (const { path, text } of changes) {
    const isNew = !sizes.has(path);
    script.call(
      isNew ? "Write" : "Edit",
      path,
      260,
      ((text ?? "").length / charactersPerToken) * (isNew ? 1 : 0.35),
    );
  }
  const tries = own.next() < 0.3 * difficulty ? 2 : 1;
  for (let each = 0; each < tries; each += 1) {
    script.call("Bash", "npm test", 1500 + own.below(1800));
    if (each + 1 < tries) script.call("Edit", edited[0] ?? "src", 260, 180 + own.below(160));
  }
  script.say(110 + own.below(90));
  return { outcome, turns: script.turns };
}

/** The files a run reads, in order: those it changes, those around them, and without the rule some unneeded ones. */
function readsOf(
  edited: readonly string[],
  sizes: FixtureSizes,
  { hasRule, difficulty, own }: { hasRule: boolean; difficulty: number; own: SeededRandom },
): string[] {
  const known = edited.filter((file) => sizes.has(file));
  const others = own.shuffled([...sizes.keys()].filter((file) => !known.includes(file)));
  const near = others.toSorted((one, other) => nearness(other, known) - nearness(one, known));
  const needed = near.slice(0, Math.max(1, Math.round(2 * difficulty)));
  if (hasRule) return [...needed, ...known];
  const spare = others
    .filter((file) => !needed.includes(file))
    .slice(0, Math.max(1, Math.round(4 * difficulty + own.normal())));
  const again = own.shuffled([...known, ...needed]).slice(0, 1 + own.below(3));
  return [...needed, ...spare, ...known, ...again];
}

/** The highest number of leading path parts a file shares with any known file. */
function nearness(file: string, known: readonly string[]): number {
  const parts = file.split("/");
  const shared = known.map((other) => {
    const position = other.split("/").findIndex((part, index) => part !== parts[index]);
    return position === -1 ? parts.length : position;
  });
  return Math.max(0, ...shared);
}

function firstWord(path: string): string {
  return /([a-z]+)[^/]*$/iu.exec(path)?.[1] ?? "function";
}

/** Turns of one conversation. Its context grows by replies and tool results. */
class Script {
  readonly turns: Turn[] = [];
  readonly #random: SeededRandom;
  /** Tokens in the cache, and tokens the next request adds. */
  #cached = 0;
  #added: number;
  #at = 0;

  constructor(random: SeededRandom, first: number) {
    this.#random = random;
    this.#added = Math.round(first + spreadOfOpening * random.normal());
  }

  /** @param characters length of the tool's result @param written tokens of the call beyond a few words */
  call(tool: string, target: string, characters: number, written = 0): void {
    this.#turn(70 + this.#random.below(60) + Math.round(written), [[tool, target]]);
    this.#added += Math.round(characters / charactersPerToken) + 40;
  }

  say(tokens: number): void {
    this.#turn(tokens, []);
  }

  #turn(output: number, calls: Turn[6]): void {
    this.#at += 1400 + output * 14 + this.#random.below(2200);
    const input = 3 + this.#random.below(6);
    this.turns.push([this.#at, input, output, this.#added, 0, this.#cached, calls]);
    this.#cached += this.#added + input;
    this.#added = output;
  }
}

function seedOf(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 12), 16);
}
