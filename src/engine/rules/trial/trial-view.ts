import type { Sentence } from "../../base/language.ts";
import type { TrialRow } from "../../ledger/rule-questions.ts";
import type { TrialView, TriedRuleView, TriedSessionView } from "../trial-answers.ts";
import { ruleText, type Rule } from "../rule.ts";
import type { RuleFinding } from "./analyse.ts";
import {
  type BenchmarkFinding,
  describeLeftOut,
  describeReason,
  proofOf,
  type ProofInput,
} from "./grounds.ts";
import type { Bystander, Participant } from "./eligible.ts";
import { guardOf, mayBeTried } from "./trial.ts";
import { half, headOf } from "./trial-rows.ts";
import { chanceOf, isHarmful, type Belief } from "./adaptive.ts";
import { usualHoldOut } from "./pace.ts";

export interface TrialParts {
  readonly trial: TrialRow;
  readonly rules: readonly Rule[];
  readonly findings: readonly RuleFinding[];
  /** By rule; null where chances are not adapted. */
  readonly beliefs: ReadonlyMap<string, Belief> | null;
  readonly benchmarks: ReadonlyMap<string, BenchmarkFinding>;
  readonly participants: readonly Participant[];
  readonly bystanders: readonly Bystander[];
  readonly missing: readonly Sentence[];
  readonly isWhole: boolean;
}

/** Maximum sessions shown unless all are requested: more than a page lists. */
const [maxDrawn, maxUndrawn] = [500, 100];

export function trialViewOf(parts: TrialParts): TrialView {
  const { trial, rules, findings, beliefs, benchmarks, participants, bystanders, missing, isWhole } = parts;
  const head = headOf(trial);
  const sessionTokens = usualTokens(participants);
  return {
    ...head,
    sessions: participants.length,
    rules: findings.map((finding) => {
      const isRunning = head.stoppedAt === null;
      if (guardOf(finding.ruleId) !== null) return guardView(finding, isRunning);
      const rule = rules.find(({ id }) => id === finding.ruleId);
      const benchmark = benchmarks.get(finding.ruleId);
      const isDrawn = isRunning && rule !== undefined && mayBeTried(rule);
      const belief = beliefs?.get(finding.ruleId);
      return {
        ...ruleView({ rule, finding, benchmark, sessionTokens }, isDrawn),
        ...(beliefs === null ? {} : beliefView(belief ?? unknown, isDrawn, trial.holdOut ?? usualHoldOut)),
      };
    }),
    drawn: participants
      .slice(isWhole ? 0 : -maxDrawn)
      .reverse()
      .map(sessionView),
    undrawn: bystanders
      .slice(isWhole ? 0 : -maxUndrawn)
      .reverse()
      .map((each) => ({ ...each, leftOut: describeLeftOut(each.leftOut) })),
    undrawnCount: bystanders.length,
    analysed: participants.filter(({ leftOut }) => leftOut === null).length,
    missing: [...missing],
  };
}

/**
 * Mean processing tokens of a session's completed prompts. Uses each session's geometric mean, a lower bound
 * of its mean.
 */
function usualTokens(participants: readonly Participant[]): number | null {
  const tokens = participants.flatMap(({ leftOut, prompts: { completed, meanLog } }) =>
    leftOut === null && meanLog !== null ? [completed * Math.exp(meanLog)] : [],
  );
  return tokens.length === 0 ? null : tokens.reduce((sum, each) => sum + each, 0) / tokens.length;
}

function ruleView(input: { readonly rule: Rule | undefined } & ProofInput, isDrawn: boolean): TriedRuleView {
  const { rule, finding, benchmark } = input;
  return {
    ...findingView(finding),
    text: rule === undefined ? null : ruleText(rule),
    status: rule?.status ?? null,
    isDrawn,
    benchmark: benchmark === undefined ? null : measuredView(benchmark),
    ...proofOf(input),
  };
}

/** Guards act by their settings: there is nothing to let in. */
function guardView(finding: RuleFinding, isRunning: boolean): TriedRuleView {
  const none = { status: null, benchmark: null, together: null, basis: null, missing: null };
  return { ...findingView(finding), text: guardOf(finding.ruleId), isDrawn: isRunning, ...none };
}

const unknown = { saves: half, expected: 0 };

function beliefView(belief: Pick<Belief, "saves" | "expected">, isDrawn: boolean, holdOut: number) {
  const chance = isDrawn ? chanceOf(belief, holdOut) : null;
  return { saves: belief.saves, expected: belief.expected, chance, isHarmful: isHarmful(belief) };
}

function findingView(finding: RuleFinding) {
  const { ruleId, verdict, reason, saving, perSession, prompts, sessions, completed, uncorrected } = finding;
  return {
    saves: null,
    expected: null,
    chance: null,
    isHarmful: false,
    perSession,
    prompts,
    id: ruleId,
    verdict,
    reason: describeReason(reason),
    saving,
    withIt: sessions[0],
    withoutIt: sessions[1],
    completed,
    uncorrected,
  };
}

function measuredView({ receiptId, at, verdict, saving }: BenchmarkFinding): TriedRuleView["benchmark"] {
  return { receiptId, at, verdict, saving: saving?.saving ?? null };
}

function sessionView(each: Participant): TriedSessionView {
  const { id, at, program, project, given, withheld, prompts, leftOut } = each;
  const { completed, interrupted, failed, meanLog, heard, corrections } = prompts;
  return {
    id,
    at,
    program,
    project,
    given: [...given],
    withheld: [...withheld],
    completed,
    interrupted,
    failed,
    corrections: heard === 0 ? null : corrections,
    tokens: meanLog === null ? null : Math.exp(meanLog),
    leftOut: leftOut === null ? null : describeLeftOut(leftOut),
  };
}
