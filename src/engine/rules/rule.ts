import * as z from "zod/mini";
import { sentence, type Sentence } from "../base/language.ts";
import { sentenceUpTo } from "../base/sentence-schema.ts";

/**
 * Status of a rule:
 * - `candidate`: proposed, waiting for the user;
 * - `approved`: by the user, to be measured;
 * - `measured`: passed, waiting for the user to let it in;
 * - `active`: in its agent's memory;
 * - `shelved`: the measurement was inconclusive; stored with its evidence, and may be tried again;
 * - `evicted`: measured as not earning its place, or not wanted by the user. Stored, so that nobody proposes it again.
 */
export const ruleStatuses = ["candidate", "approved", "measured", "active", "shelved", "evicted"] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

/** Statuses in sentences: `which is shelved`. */
export const statusWords: Readonly<Record<RuleStatus, Sentence>> = {
  candidate: sentence("candidate"),
  approved: sentence("approved"),
  measured: sentence("measured"),
  active: sentence("active"),
  shelved: sentence("shelved"),
  evicted: sentence("evicted"),
};

/**
 * `trajectory`: found in a run by purser; `model`: proposed by the user's agent; `hand`: by a person; `import`: from a file.
 */
export const ruleOrigins = ["trajectory", "model", "hand", "import"] as const;
export type RuleOrigin = (typeof ruleOrigins)[number];

export const ruleSource = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("run"),
    sessionId: z.string().check(z.maxLength(200)),
    /** Id under which the run's digest is stored. Absent in rules older than digests. */
    runId: z.optional(z.string().check(z.maxLength(190))),
    /** Null where the file is unknown. */
    transcript: z.nullable(z.string().check(z.maxLength(4096))),
    finding: sentenceUpTo(400),
    /** Turns of the transcript: line, counted from 1, and what was done there. */
    turns: z
      .array(z.object({ line: z.int().check(z.positive()), what: z.string().check(z.maxLength(200)) }))
      .check(z.maxLength(12)),
  }),
  z.object({
    kind: z.literal("file"),
    path: z.string().check(z.maxLength(4096)),
    line: z.int().check(z.positive()),
  }),
]);
export type RuleSource = z.infer<typeof ruleSource>;

/** Advice for one agent. Its sentence never changes: an edited rule is a new one that replaces it. */
export interface Rule {
  readonly id: string;
  readonly agent: string;
  /** Without the scope. */
  readonly sentence: string;
  /** When the rule applies: `editing tests`. Null for always. */
  readonly scope: string | null;
  readonly status: RuleStatus;
  /** Protected by the user: never evicted, only costed. */
  readonly isProtected: boolean;
  /** Consecutive re-audits that showed it not to earn its place; only a protected rule stays after one. */
  readonly strikes: number;
  readonly origin: RuleOrigin;
  readonly source: RuleSource | null;
  /** Tokens saved per completed run; null before the first measurement. */
  readonly saving: number | null;
  /** Tokens per session, as its verdict counted them, or as estimated when it was proposed; see `rent.ts`. */
  readonly rent: number;
  /** Milliseconds since the epoch; null where unknown, or not yet. */
  readonly createdAt: number | null;
  readonly decidedAt: number | null;
  readonly decidedReason: Sentence | null;
  readonly auditedAt: number | null;
  /** The rule that this one edits, or null. */
  readonly replaces: string | null;
}

export function ruleText({ scope, sentence }: Pick<Rule, "scope" | "sentence">): string {
  return scope === null ? sentence : `(when ${scope}) ${sentence}`;
}

/** Whether a rule waits for the user's decision: a candidate, or one that passed. */
export function waitsForUser({ status }: Pick<Rule, "status">): boolean {
  return status === "candidate" || status === "measured";
}

/**
 * Number of an agent's active rules to re-audit: never measured ones first, then those measured longest ago.
 */
export type Audits = number | "all";

/** Re-audits one rule per selection: all get their turn, and no selection costs much more for it. */
export const usualAudits: Audits = 1;
