import { sha256Hex } from "../../base/hash.ts";
import * as z from "zod/mini";
import { parseJson } from "../../base/parse.ts";
import type { SessionFactsRow } from "../../ledger/learned.ts";
import { scrubLine } from "../../base/scrub.ts";

/** Characters. */
const [maxKeyLength, maxTextLength, maxFactsLength] = [160, 200, 39_000];
/** Maximum facts per task and session. */
const maxFacts = 60;
export const maxTurns = 5;

const text = z.string().check(z.maxLength(maxTextLength));
/** Something that one task found in one session: counts of a matter that is named the same in each session of its project. */
const fact = z.object({
  key: z.string().check(z.maxLength(maxKeyLength)),
  text,
  detail: z.nullable(text),
  count: z.int().check(z.nonnegative()),
  /** How many of them went well, by the task's definition. */
  good: z.int().check(z.nonnegative()),
  /** The first few, as prompts so far. */
  turns: z.array(z.int().check(z.nonnegative())).check(z.maxLength(maxTurns)),
});
export type Fact = Readonly<z.infer<typeof fact>>;
const facts = z.catch(z.array(fact), []);

/** Makes a text that may be stored: without secrets, on one line. */
export function plain(words: string, length = maxTextLength): string {
  return scrubLine(words, 8 * length).slice(0, length);
}

export function keyOf(...parts: readonly (string | number)[]): string {
  return sha256Hex(JSON.stringify(parts), 16);
}

/** Returns the facts as JSON text of bounded length. @param all the strongest first */
export function factsText(all: readonly Fact[]): string {
  for (let kept = all.slice(0, maxFacts); ; kept = kept.slice(0, Math.floor(kept.length / 2))) {
    const written = JSON.stringify(kept);
    if (written.length <= maxFactsLength) return written;
  }
}

/** Facts of one task in one session of a project. */
export interface SessionFacts {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly at: number | null;
  readonly facts: readonly Fact[];
}

/** Sessions of a project from which is learned, the newest; of older ones of these only the strongest facts count. */
export const window = { sessions: 300, whole: 40, strongest: 10 } as const;

/** Sorts a project's rows, the newest session first, and leaves out copies: a fork repeats what its parent did. */
export function inOrder(rows: readonly SessionFactsRow[]): SessionFactsRow[] {
  const sorted = rows.toSorted(
    (a, b) =>
      (b.at ?? 0) - (a.at ?? 0) ||
      b.turns - a.turns ||
      compared(a.sessionId, b.sessionId) ||
      compared(a.id, b.id),
  );
  const seen = new Set<string>();
  return sorted.filter(({ sessionId, origin }) => {
    const names = [`session ${sessionId}`, `origin ${origin ?? sessionId}`];
    if (names.some((name) => seen.has(name))) return false;
    for (const name of names) seen.add(name);
    return true;
  });
}

/** Reads what one task found, the newest session first: the same before and after older sessions were consolidated. */
export function readFacts(rows: readonly SessionFactsRow[]): SessionFacts[] {
  return inOrder(rows)
    .slice(0, window.sessions)
    .map((row, index) => ({ sessionId: row.sessionId, at: row.at, facts: factsIn(row, index) }));
}

/** @param index 0 for the project's newest session */
export function factsIn({ facts: written }: Pick<SessionFactsRow, "facts">, index: number): Fact[] {
  const all = facts.parse(parseJson(written ?? ""));
  return index < window.whole ? all : all.slice(0, window.strongest);
}

export function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
