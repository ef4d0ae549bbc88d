import type { TrialRow } from "../../ledger/questions/trial-book.ts";
import type { TrialHead, TrialView, TriedRuleView, TriedSessionView } from "../answers/trial-view.ts";
import { ruleText, type Rule } from "../rule.ts";
import type { RuleFinding } from "./analyse.ts";
import { describeLeftOut, describeReason } from "./describe.ts";
import type { Bystander, Participant } from "./eligible.ts";
import { ruleIdsIn } from "./rows.ts";
import { mayBeTried } from "./trial.ts";

export function headOf({ ruleIds, ...row }: TrialRow): TrialHead {
  return { ...row, ruleIds: ruleIdsIn(ruleIds) };
}

export interface TrialParts {
  readonly trial: TrialRow;
  readonly rules: readonly Rule[];
  readonly findings: readonly RuleFinding[];
  readonly participants: readonly Participant[];
  readonly bystanders: readonly Bystander[];
  readonly missing: readonly string[];
}

/** Most sessions shown. */
const [mostDrawn, mostUndrawn] = [500, 100];

export function trialViewOf(parts: TrialParts): TrialView {
  const { trial, rules, findings, participants, bystanders, missing } = parts;
  const head = headOf(trial);
  return {
    ...head,
    sessions: participants.length,
    rules: findings.map((finding) => {
      const rule = rules.find(({ id }) => id === finding.ruleId);
      return ruleView(finding, rule, head.stoppedAt === null);
    }),
    drawn: participants.slice(-mostDrawn).reverse().map(sessionView),
    undrawn: bystanders
      .slice(-mostUndrawn)
      .reverse()
      .map((each) => ({ ...each, leftOut: describeLeftOut(each.leftOut) })),
    analysed: participants.filter(({ leftOut }) => leftOut === null).length,
    missing: [...missing],
  };
}

function ruleView(
  { ruleId, verdict, reason, saving, sessions, completed }: RuleFinding,
  rule: Rule | undefined,
  isRunning: boolean,
): TriedRuleView {
  return {
    id: ruleId,
    text: rule === undefined ? null : ruleText(rule),
    status: rule?.status ?? null,
    isDrawn: isRunning && rule !== undefined && mayBeTried(rule),
    verdict,
    reason: describeReason(reason),
    saving,
    withIt: sessions[0],
    withoutIt: sessions[1],
    completed,
  };
}

function sessionView(each: Participant): TriedSessionView {
  const { id, at, program, project, given, withheld, prompts, leftOut } = each;
  const { completed, interrupted, failed, meanLog } = prompts;
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
    tokens: meanLog === null ? null : Math.exp(meanLog),
    leftOut: leftOut === null ? null : describeLeftOut(leftOut),
  };
}
