import { plural, t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { dash } from "../../base/format.ts";
import { wholeNumber } from "../../base/local-format.ts";
import { agentNames } from "../../transcripts/agents.ts";
import {
  everyAgent,
  familyIn,
  type TrialHead,
  type TrialPlan,
  type TrialView,
  type TriedRuleView,
  type TriedSessionView,
} from "../../rules/trial-answers.ts";
import { guardPlanLines, guardResultLines } from "./guard-trial-lines.ts";
import { usualHoldOut } from "../../rules/trial.ts";
import { stateNames } from "./print-rules.ts";
import { describeTime, asLine } from "../terminal-text.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";

/** Cells, and sessions. */
const [maxWidth, maxSessions] = [60, 40];

export function planLines(plan: TrialPlan): string {
  const { agent, project, rules, programs, holdOut, switchesOff } = plan;
  if (agent === everyAgent) return guardPlanLines(plan, placeOf(project));
  const names = programs.map((program) => agentNames.of(program)).join(", ");
  return [
    plural(
      rules.length,
      t("This rule is tried on your own work:"),
      t("These rules are tried on your own work:"),
    ),
    ...rules.map(({ id, text }) => `  ${id}  ${cleanText(text)}`),
    t(
      "Each new session of {0} in {1} ({2}) gets each rule or not, at random, in its first context.",
      cleanText(agent),
      placeOf(project),
      names,
    ),
    t(
      "The chance is the probability that the rule saves: at first one half, later from 5% to {0}%. The other {1}% stay as a comparison.",
      Math.round(100 * (1 - (holdOut ?? usualHoldOut))),
      Math.round(100 * (holdOut ?? usualHoldOut)),
    ),
    t(
      "Recorded for each session: chances and draws, before its first prompt; then tokens, and how many prompts were completed, interrupted, failed or corrected the agent. Never what they say.",
    ),
    switchesOff
      ? t("A rule that probably costs tokens is evicted without asking.")
      : t("If a rule probably costs tokens, you are asked to evict it; --switch-off does so without asking."),
    t(
      "Rules of {0} that you approve later join. No memory file changes, and nothing is spent.",
      cleanText(agent),
    ),
    t("purser trial stop ends it at any time: from then on no session gets anything."),
    "",
  ].join("\n");
}

export function listLines(trials: readonly TrialHead[], style: Style, now: number): string {
  if (trials.length === 0) return `${t("There are no trials. Start one with purser trial start AGENT.")}\n`;
  const rows = trials.map((trial) => [
    trial.id,
    describeTried(trial),
    placeOf(trial.project),
    String(trial.ruleIds.length),
    trial.holdOut === null ? t("{0} of {1}", trial.sessions, trial.planned) : String(trial.sessions),
    describeState(trial, now),
  ]);
  const columns: readonly Column[] = [
    { title: t("Trial") },
    { title: t("Tried"), fit: "end" },
    { title: t("Sessions of"), maxWidth: maxWidth, fit: "middle" },
    ...figures(t("Rules"), t("Assigned")),
    { title: t("State") },
  ];
  return alignColumns(columns, rows, style);
}

export function statusLines(trial: TrialView, style: Style, now: number): string {
  const parts = [
    style.bold(
      t(
        "Trial {0}: {1} in {2}, {3}",
        trial.id,
        describeTried(trial),
        placeOf(trial.project),
        describeState(trial, now),
      ),
    ),
    trial.holdOut === null
      ? t(
          "{0} sessions assigned, {1} of them analysed; planned: {2}",
          trial.sessions,
          trial.analysed,
          trial.planned,
        )
      : t(
          "{0} sessions assigned, {1} of them analysed; {2}% stay without a rule that saves",
          trial.sessions,
          trial.analysed,
          Math.round(100 * trial.holdOut),
        ),
    ...trial.missing.map((line) => t("No new sessions take part: {0}", asLine(line))),
    "",
    ...(trial.agent === everyAgent ? guardResultLines(trial.rules) : [ruleTable(trial.rules, style)]),
  ];
  const level = trial.rules.find(({ saving }) => saving !== null)?.saving?.level;
  if (level !== undefined && trial.agent === everyAgent)
    parts.push(
      t(
        "Share of new tokens saved per completed prompt, with a {0}% interval that stays valid however often you look.",
        Math.round(100 * level),
      ),
      "",
    );
  else if (level !== undefined)
    parts.push(
      t(
        "Per session and per prompt: share of new tokens saved in real work, with {0}% intervals that stay valid however often you look. A rule is said to save only if both show it.",
        Math.round(100 * level),
      ),
      t(
        "Expected: saved share of a session's tokens by recent sessions, shrunk towards 0. Benchmark: share per completed run, from its latest report. Together: both, weighted by precision, unless they contradict each other.",
      ),
      "",
    );
  parts.push(...guardLines(trial.rules, style), ...harmLines(trial.rules));
  const proven = trial.rules.filter(({ basis }) => basis !== null);
  for (const { id, basis } of proven)
    parts.push(
      basis === "both"
        ? t(
            "Rule {0} is shown to save on real work and its benchmark together: add it to the agent's memory with {1}.",
            id,
            `purser trial admit ${id}`,
          )
        : t(
            "Rule {0} is shown to save on real work: add it to the agent's memory with {1}.",
            id,
            `purser trial admit ${id}`,
          ),
    );
  if (proven.length > 0) parts.push("");
  if (trial.drawn.length > 0) parts.push(sessionTable(trial.drawn, style, now));
  parts.push(...moreLines(trial.drawn.length));
  if (trial.undrawn.length > 0)
    parts.push(
      t("Sessions of that time that were not assigned:"),
      ...trial.undrawn
        .slice(0, maxSessions)
        .map(({ id, at, leftOut }) => `  ${cleanText(id)}  ${describeTime(at, now)}  ${asLine(leftOut)}`),
      ...moreLines(trial.undrawn.length),
      "",
    );
  return parts.join("\n");
}

function moreLines(sessions: number): string[] {
  return sessions > maxSessions ? [t("{0} more: --json lists them", sessions - maxSessions), ""] : [];
}

function ruleTable(rules: readonly TriedRuleView[], style: Style): string {
  const rows = rules.map((rule) => [
    rule.id,
    describeVerdict(rule),
    describeShare(rule.saves),
    describeShare(rule.chance),
    describeShare(rule.expected),
    describeSaving(rule.perSession),
    describeSaving(rule.saving),
    describeSaving(rule.benchmark?.saving ?? null),
    describeSaving(rule.together),
    String(rule.withIt),
    String(rule.withoutIt),
    cleanText(rule.text ?? t("deleted rule")),
  ]);
  const columns: readonly Column[] = [
    { title: t("Rule") },
    { title: t("Verdict"), fit: "end" },
    ...figures(
      t("Probably saves"),
      t("Next chance"),
      t("Expected"),
      t("Per session"),
      t("Per prompt"),
      t("Benchmark"),
      t("Together"),
      t("With"),
      t("Without"),
    ),
    { title: t("Sentence"), maxWidth: maxWidth, fit: "end" },
  ];
  return alignColumns(columns, rows, style);
}

/** Tells what the owner may do about rules that probably cost. */
function harmLines(rules: readonly TriedRuleView[]): string[] {
  const harmful = rules.filter(({ isHarmful, isDrawn }) => isHarmful && isDrawn);
  if (harmful.length === 0) return [];
  return [
    ...harmful.map(({ id }) =>
      t("Rule {0} probably costs tokens. {1} evicts it.", id, `purser rules reject ${id}`),
    ),
    "",
  ];
}

function describeShare(share: number | null): string {
  return share === null ? dash : t("{0}%", Math.round(100 * share));
}

function guardLines(rules: readonly TriedRuleView[], style: Style): string[] {
  const known = rules.filter(
    ({ completed, uncorrected, prompts }) => completed !== null || uncorrected !== null || prompts !== null,
  );
  if (known.length === 0) return [];
  const rows = known.map(({ id, completed, uncorrected, prompts }) => [
    id,
    describePoints(completed),
    describePoints(uncorrected),
    describePoints(prompts && { ...prompts, value: -prompts.value, low: -prompts.high, high: -prompts.low }),
  ]);
  const columns: readonly Column[] = [
    { title: t("Tried") },
    ...figures(t("Completed"), t("Not corrected"), t("Prompts, %")),
  ];
  return [
    t(
      "Completed prompts, and prompts that do not start by correcting the agent: with it minus without it, in percentage points. Prompts: how many more a session has with it.",
    ),
    alignColumns(columns, rows, style),
  ];
}

function describePoints(difference: TriedRuleView["completed"]): string {
  if (difference === null) return t("unknown");
  const { value, low, high } = difference;
  const [middle, least, most] = [value, low, high].map((share) => Math.round(100 * share));
  return t("{0} ({1} to {2})", middle ?? 0, least ?? 0, most ?? 0);
}

function describeVerdict({ verdict, reason, isDrawn, status }: TriedRuleView): string {
  const left = isDrawn || status === null ? "" : ` (${t("{0}, no longer assigned", stateNames[status])})`;
  return `${reason === null ? verdict : `${verdict}: ${asLine(reason)}`}${left}`;
}

function describeSaving(saving: TriedRuleView["saving"]): string {
  if (saving === null) return dash;
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => Math.round(100 * share));
  return t("{0}% ({1} to {2})", value ?? 0, low ?? 0, high ?? 0);
}

function sessionTable(sessions: readonly TriedSessionView[], style: Style, now: number): string {
  const rows = sessions
    .slice(0, maxSessions)
    .map((each) => [
      cleanText(each.id),
      describeTime(each.at, now),
      each.given.length === 0 ? t("none") : each.given.map((id) => cleanText(familyIn(id) ?? id)).join(" "),
      `${each.completed}/${each.completed + each.interrupted + each.failed}`,
      each.corrections === null ? dash : String(each.corrections),
      each.tokens === null ? dash : wholeNumber(each.tokens),
      each.leftOut === null ? "" : asLine(each.leftOut),
    ]);
  const columns: readonly Column[] = [
    { title: t("Session") },
    { title: t("Began") },
    { title: t("Had"), fit: "end" },
    ...figures(t("Completed"), t("Corrections"), t("Tokens")),
    { title: t("Left out"), fit: "wrap" },
  ];
  return alignColumns(columns, rows, style);
}

/** Names the rules or guards on trial. */
function describeTried({ agent, ruleIds }: TrialHead): string {
  return agent === everyAgent
    ? t("guards on {0}", ruleIds.map((id) => familyIn(id) ?? id).join(", "))
    : t("rules of {0}", cleanText(agent));
}

function describeState({ startedAt, stoppedAt }: TrialHead, now: number): string {
  return stoppedAt === null
    ? t("running since {0}", describeTime(startedAt, now))
    : t("stopped {0}", describeTime(stoppedAt, now));
}

function placeOf(project: string | null): string {
  return project === null ? t("all folders") : cleanText(project);
}
