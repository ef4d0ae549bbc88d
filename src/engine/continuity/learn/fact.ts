import * as z from "zod/mini";
import { sha256Hex } from "../../base/hash.ts";
import { parseJson, readJson } from "../../base/parse.ts";
import type { SessionFactsRow } from "../../ledger/learned.ts";
import { scrubLine } from "../../base/scrub.ts";

/** Characters. */
const [maxKeyLength, maxTextLength, maxFactsLength] = [160, 200, 39_000];
/** Maximum facts per task and session. */
const maxFacts = 60;
const maxTurns = 5;

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

export interface SessionFacts {
  readonly sessionId: string;
  readonly at: number | null;
  readonly facts: readonly Fact[];
}

/** From how many of a project's newest sessions to learn. Older ones of these count with their strongest facts only. */
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

/** Where a fact was seen: the newest sessions, each with its first turns. */
const evidence = z.array(
  z.object({
    session: z.string().check(z.maxLength(200)),
    turns: z.array(z.int().check(z.nonnegative())).check(z.maxLength(maxTurns)),
  }),
);
type Evidence = z.infer<typeof evidence>;

const maxSessions = 6;

export function readEvidence(text: string | null): Evidence {
  return readJson(evidence, text) ?? [];
}

export interface Sum {
  readonly key: string;
  /** In the words of the newest session. */
  readonly text: string;
  readonly detail: string | null;
  count: number;
  good: number;
  sessions: number;
  /** When it was seen last. */
  readonly at: number | null;
  /** Number of sessions newer than the last one with this fact. */
  readonly age: number;
  readonly evidence: Evidence;
}

/** Adds up facts by their keys. @param sessions the newest first */
export function summed(sessions: readonly SessionFacts[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const [age, { sessionId, at, facts }] of sessions.entries())
    for (const { key, text, detail, count, good, turns } of facts) {
      const sum: Sum = sums.get(key) ?? {
        key,
        text,
        detail,
        count: 0,
        good: 0,
        sessions: 0,
        at,
        age,
        evidence: [],
      };
      sum.count += count;
      sum.good += good;
      sum.sessions += 1;
      if (sum.evidence.length < maxSessions)
        sum.evidence.push({ session: sessionId.slice(0, 200), turns: [...turns] });
      sums.set(key, sum);
    }
  return [...sums.values()];
}

export class Counting {
  readonly #facts = new Map<string, { -readonly [Key in keyof Fact]: Fact[Key] }>();
  readonly #maxFacts: number;

  /** @param maxFacts maximum facts; beyond it the one seen longest ago is dropped */
  constructor(maxFacts = 200) {
    this.#maxFacts = maxFacts;
  }

  add(key: string, { turn, good, text, detail = null }: Counted): void {
    const known = this.#facts.get(key);
    this.#facts.delete(key);
    this.#facts.set(key, {
      key,
      text,
      detail,
      count: (known?.count ?? 0) + 1,
      good: (known?.good ?? 0) + (good ? 1 : 0),
      turns: withTurn(known?.turns ?? [], turn),
    });
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > this.#maxFacts && oldest !== undefined) this.#facts.delete(oldest);
  }

  /** Marks a success as a failure after all. */
  spoil(key: string): void {
    const known = this.#facts.get(key);
    if (known !== undefined) known.good = Math.max(0, known.good - 1);
  }

  all(): Fact[] {
    return [...this.#facts.values()].toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
  }
}

interface Counted {
  readonly turn: number;
  readonly good: boolean;
  readonly text: string;
  readonly detail?: string | null;
}

function withTurn(turns: readonly number[], turn: number): number[] {
  return turns.includes(turn) || turns.length >= maxTurns ? [...turns] : [...turns, turn];
}

/** The same order on every machine. */
export function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
