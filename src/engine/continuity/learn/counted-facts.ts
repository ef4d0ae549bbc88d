import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { maxTurns, type Fact, type SessionFacts } from "./fact.ts";

/** Where a fact was seen: the newest sessions, each with its first turns. */
const evidence = z.array(
  z.object({
    session: z.string().check(z.maxLength(200)),
    turns: z.array(z.int().check(z.nonnegative())).check(z.maxLength(maxTurns)),
  }),
);
export type Evidence = z.infer<typeof evidence>;

const maxSessions = 6;

export function readEvidence(text: string | null): Evidence {
  return readJson(evidence, text) ?? [];
}

/** A matter over all sessions of a project. */
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

/** Collects the facts of one session. */
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

  /** Returns all facts, the most frequent first. */
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
