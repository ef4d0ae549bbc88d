import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { verdictKinds } from "../verdict/verdict.ts";
import { ruleStatuses } from "./rule.ts";

/** The agent of a trial of guards, which act in the sessions of all. No agent has this name. */
export const everyAgent = "*";
/** Usual number of sessions of a trial of guards, which save less than a good rule (`npm run bench -- guard-trials`). */
export const plannedGuardSessions = 1000;
/** Begins the id of a family of guards among what is tried. No rule has such an id. */
export const guardPrefix = "guard:";

/** The family of guards that an id stands for. Null for a rule's. */
export function familyIn(id: string): string | null {
  return id.startsWith(guardPrefix) ? id.slice(guardPrefix.length) : null;
}

/** Milliseconds since the epoch. */
const at = z.number();
const count = z.int().check(z.nonnegative());

/** An interval that is valid at its level however often it is looked at. */
const interval = z.object({ value: z.number(), low: z.number(), high: z.number(), level: z.number() });

export const trialHead = z.object({
  id: z.string(),
  /** `*` for a trial of guards. */
  agent: z.string(),
  /** Null for sessions in all folders. */
  project: z.nullable(z.string()),
  startedAt: at,
  stoppedAt: z.nullable(at),
  approvedBy: z.string(),
  ruleIds: z.array(z.string()),
  /** Sessions by which the trial should have decided, and those that drew so far. */
  planned: count,
  sessions: count,
  /** Share of sessions without a rule that saves, where chances are adapted. Null where all chances are one half. */
  holdOut: z.nullable(z.number()),
  /** Whether a harmful rule is switched off without asking. */
  switchesOff: z.boolean(),
});
export type TrialHead = z.infer<typeof trialHead>;

/** A trial that is not yet approved. */
export const trialPlan = z.object({
  agent: z.string(),
  project: z.nullable(z.string()),
  rules: z.array(z.object({ id: z.string(), text: z.string() })),
  /** Programs with new sessions that would take part. */
  programs: z.array(z.string()),
  planned: count,
  holdOut: z.nullable(z.number()),
  switchesOff: z.boolean(),
});
export type TrialPlan = z.infer<typeof trialPlan>;

const triedRule = z.object({
  /** A rule's, or `guard:output` for a family of guards. */
  id: z.string(),
  /** Its sentence, or the family. Null for a deleted rule. */
  text: z.nullable(z.string()),
  status: z.nullable(z.enum(ruleStatuses)),
  /** Whether new sessions still draw it. */
  isDrawn: z.boolean(),
  verdict: z.enum(["saves", "costs", "undecided"]),
  /** Why it is undecided, in words; null otherwise. */
  reason: z.nullable(sentenceSchema),
  /**
   * Share of a completed prompt's tokens that it saves. Negative for a cost. Null while too little is known.
   */
  saving: z.nullable(interval),
  /** The same of a session's tokens. It counts all prompts, however they end. */
  perSession: z.nullable(interval),
  /** Share of a session's prompts that it saves. Negative if the user has to ask more often. */
  prompts: z.nullable(interval),
  /** Probability that it saves, by recent sessions and before any other evidence: null where chances are not adapted. */
  saves: z.nullable(z.number()),
  /** Expected saved share of a session's tokens; in contrast to `saving`, shrunk towards 0. */
  expected: z.nullable(z.number()),
  /** Chance that the next session gets it. Null if it is not drawn. */
  chance: z.nullable(z.number()),
  /** Whether it so probably costs that its owner is asked to evict it. */
  isHarmful: z.boolean(),
  /** Sessions with and without it that the figures rest on. */
  withIt: count,
  withoutIt: count,
  /** Difference in the share of completed prompts, with it less without it. */
  completed: z.nullable(interval),
  /**
   * Difference in the share of prompts that do not correct the agent, in the same form. Null if no hook
   * reported any.
   */
  uncorrected: z.nullable(interval),
  /** Its newest receipt. Null if it was never measured. */
  benchmark: z.nullable(
    z.object({
      receiptId: z.string(),
      at,
      verdict: z.enum(verdictKinds),
      /** Share of a completed run's tokens. */
      saving: z.nullable(interval),
    }),
  ),
  /**
   * Share of saved tokens from real work and benchmark combined. Null without either, or if they contradict
   * each other.
   */
  together: z.nullable(interval),
  /** Evidence that admits it to its agent's memory. Null if this trial does not admit it. */
  basis: z.nullable(z.enum(["real-work", "both"])),
  /** Reason against it, in words. Null if it may. */
  missing: z.nullable(sentenceSchema),
});
export type TriedRuleView = z.infer<typeof triedRule>;

/** What is shown against something tried: it costs tokens, or more prompts end badly with it. Null if nothing is. */
export function harmOf({
  verdict,
  completed,
  uncorrected,
}: Pick<TriedRuleView, "verdict" | "completed" | "uncorrected">): "costs" | "undone" | "corrected" | null {
  if (completed !== null && completed.high < 0) return "undone";
  if (uncorrected !== null && uncorrected.high < 0) return "corrected";
  return verdict === "costs" ? "costs" : null;
}

const triedSession = z.object({
  id: z.string(),
  at,
  program: z.nullable(z.string()),
  project: z.nullable(z.string()),
  /** Rule ids. */
  given: z.array(z.string()),
  withheld: z.array(z.string()),
  completed: count,
  interrupted: count,
  failed: count,
  /** Prompts that correct the agent. Null if no hook reported any prompt. */
  corrections: z.nullable(count),
  /** Geometric mean of the processing tokens of its completed prompts. */
  tokens: z.nullable(z.number()),
  leftOut: z.nullable(sentenceSchema),
});
export type TriedSessionView = z.infer<typeof triedSession>;

export const trialView = z.object({
  ...trialHead.shape,
  rules: z.array(triedRule),
  /** The newest first. At most 500 unless all are requested. */
  drawn: z.array(triedSession),
  /**
   * Sessions of the trial's time and folder without a draw, the newest first. At most 100 unless all are
   * requested.
   */
  undrawn: z.array(
    z.object({
      id: z.string(),
      at,
      program: z.string(),
      project: z.nullable(z.string()),
      leftOut: sentenceSchema,
    }),
  ),
  /** Number of sessions for which nothing was drawn, of those that were looked through. */
  undrawnCount: count,
  analysed: count,
  /** Obstacles that keep new sessions from taking part, each with a remedy. Empty if there are none. */
  missing: z.array(sentenceSchema),
});
export type TrialView = z.infer<typeof trialView>;
