import * as z from "zod";

/**
 * Where a rule is in its life:
 * - `candidate`: proposed, waiting for the user;
 * - `approved`: by the user; to be measured;
 * - `measured`: it passed, and waits for the user to let it in;
 * - `active`: it is in its agent's memory;
 * - `shelved`: what was measured decides nothing; kept with its evidence, and may be tried again;
 * - `evicted`: it was measured and does not earn its place, or the user does not want it. Kept: nobody proposes it again.
 */
export const ruleStatuses = ["candidate", "approved", "measured", "active", "shelved", "evicted"] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

/** `trajectory`: found in a run by purser itself; `model`: proposed by the user's agent; `hand`; `import`: a line of a file. */
export const ruleOrigins = ["trajectory", "model", "hand", "import"] as const;
export type RuleOrigin = (typeof ruleOrigins)[number];

/** What shows why there is the rule. */
export const ruleSource = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("run"),
    sessionId: z.string().max(200),
    /** What the run did is kept under it; see `kept-digest.ts`. Rules of before that was kept have none. */
    runId: z.string().max(190).optional(),
    /** Null where the file is not known. */
    transcript: z.string().max(4096).nullable(),
    /** What was found, in words. */
    finding: z.string().max(400),
    /** Where in the transcript: lines counted from 1, and what was done there. */
    turns: z.array(z.object({ line: z.int().positive(), what: z.string().max(200) })).max(12),
  }),
  z.object({ kind: z.literal("file"), path: z.string().max(4096), line: z.int().positive() }),
]);
export type RuleSource = z.infer<typeof ruleSource>;

/** Advice for one agent. Its sentence never changes: an edited rule is another one, which replaces it. */
export interface Rule {
  readonly id: string;
  readonly agent: string;
  /** Without its scope. */
  readonly sentence: string;
  /** When it is to be thought of: `editing tests`. Null for always. */
  readonly scope: string | null;
  readonly status: RuleStatus;
  /** The user's: never evicted, only costed. */
  readonly isProtected: boolean;
  /** Re-audits in a row that found it too dear. The second evicts. */
  readonly strikes: number;
  readonly origin: RuleOrigin;
  readonly source: RuleSource | null;
  /** Tokens saved per completed run; null before it was measured. */
  readonly saving: number | null;
  /** Tokens a session, estimated; see `rent.ts`. */
  readonly rent: number;
  /** Times in milliseconds since the epoch; null where they are not known, or not yet. */
  readonly createdAt: number | null;
  readonly decidedAt: number | null;
  readonly decidedReason: string | null;
  readonly auditedAt: number | null;
  /** The rule it was edited from. */
  readonly replaces: string | null;
}

/** As it stands in an agent's memory. */
export function ruleText({ scope, sentence }: Pick<Rule, "scope" | "sentence">): string {
  return scope === null ? sentence : `(when ${scope}) ${sentence}`;
}

/** A candidate, or one that passed: nothing becomes of it until its user decides. */
export function waitsForUser({ status }: Pick<Rule, "status">): boolean {
  return status === "candidate" || status === "measured";
}
