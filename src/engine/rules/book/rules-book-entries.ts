import { readStoredSentence, storedSentence } from "../../base/sentence-schema.ts";
import { type LedgerEntry, maxSentenceLength } from "../../ledger/entries.ts";
import { readJson } from "../../base/parse.ts";
import type { RuleRow, RuleStepRow } from "../../ledger/rule-questions.ts";
import type { RuleStep } from "../action.ts";
import {
  ruleOrigins,
  ruleSource,
  ruleStatuses,
  type Rule,
  type RuleSource,
  type RuleStatus,
} from "../rule.ts";
import { scrubbedSource } from "../distil/scrubbed-source.ts";

/**
 * Ledger entries of a rule and of the step that led to it, for one append.
 * @param stepId unique to the step
 */
export function ruleEntries(rule: Rule, step: RuleStep, stepId: string): LedgerEntry[] {
  return [
    {
      kind: "rule",
      id: rule.id,
      agent: rule.agent,
      body: rule.sentence,
      status: rule.status,
      scope: rule.scope,
      measuredDelta: rule.saving,
      contextCost: rule.rent,
      createdAt: rule.createdAt,
      decidedAt: rule.decidedAt,
      decidedReason:
        rule.decidedReason === null ? null : storedSentence(rule.decidedReason, maxSentenceLength),
      isProtected: rule.isProtected,
      probation: rule.strikes,
      replaces: rule.replaces,
      origin: rule.origin,
      auditedAt: rule.auditedAt,
      source: rule.source === null ? null : JSON.stringify(scrubbedSource(rule.source)),
      sourceRun: rule.source?.kind === "run" ? rule.source.sessionId : null,
    },
    {
      kind: "rule-step",
      id: stepId,
      ruleId: rule.id,
      at: step.at,
      who: step.who,
      fromStatus: step.from,
      toStatus: step.to,
      why: storedSentence(step.why, maxSentenceLength),
    },
  ];
}

/** Returns null for a row with a status unknown to this version. */
export function ruleOfRow(row: RuleRow): Rule | null {
  const status = statusOf(row.status);
  if (status === null) return null;
  return {
    id: row.id,
    agent: row.agent,
    sentence: row.body,
    scope: row.scope,
    status,
    isProtected: row.isProtected,
    strikes: row.strikes,
    source: sourceOf(row.source),
    origin: ruleOrigins.find((origin) => origin === row.origin) ?? "hand",
    saving: row.measuredDelta,
    rent: row.contextCost ?? 0,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
    decidedReason: row.decidedReason === null ? null : readStoredSentence(row.decidedReason),
    auditedAt: row.auditedAt,
    replaces: row.replaces,
  };
}

/** Returns null for a step with a status unknown to this version. */
export function stepOfRow({ at, who, fromStatus, toStatus, why }: RuleStepRow): RuleStep | null {
  const to = statusOf(toStatus);
  if (to === null) return null;
  const from = fromStatus === null ? null : statusOf(fromStatus);
  return { at, who, from, to, why: readStoredSentence(why) };
}

function statusOf(text: string): RuleStatus | null {
  return ruleStatuses.find((status) => status === text) ?? null;
}

function sourceOf(json: string | null): RuleSource | null {
  return readJson(ruleSource, json);
}
