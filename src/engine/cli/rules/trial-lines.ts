import { cleanText } from "../../base/text/text.ts";
import { dash, wholeNumber } from "../../base/text/format.ts";
import { agentNames } from "../../transcripts/agents.ts";
import type {
  TrialHead,
  TrialPlan,
  TrialView,
  TriedRuleView,
  TriedSessionView,
} from "../../rules/answers/trial-view.ts";
import { describeTime } from "../describe-time.ts";
import type { Style } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

/** Columns of a rule's text, and sessions that are listed. */
const [widest, mostSessions] = [60, 40];

/** Formats a trial that has not begun. */
export function planLines({ agent, project, rules, programs, planned }: TrialPlan): string {
  const names = programs.map((program) => agentNames.of(program)).join(", ");
  return [
    `${rules.length === 1 ? "This rule is" : "These rules are"} tried on your own work:`,
    ...rules.map(({ id, text }) => `  ${id}  ${cleanText(text)}`),
    `Each new session of ${cleanText(agent)} in ${placeOf(project)} (${names}) gets each rule or not, at random, in its first context;`,
    `no memory file changes, and nothing is spent. Planned for ${planned} sessions; purser trial stop ends it at any time.`,
    "",
  ].join("\n");
}

export function listLines(trials: readonly TrialHead[], style: Style, now: number): string {
  if (trials.length === 0) return "There are no trials. Start one with purser trial start AGENT.\n";
  const rows = trials.map((trial) => [
    trial.id,
    cleanText(trial.agent),
    placeOf(trial.project),
    String(trial.ruleIds.length),
    `${trial.sessions} of ${trial.planned}`,
    describeState(trial, now),
  ]);
  const columns: readonly Column[] = [
    { title: "Trial" },
    { title: "Agent", fit: "end" },
    { title: "Sessions of", most: widest, fit: "middle" },
    { title: "Rules", isFigure: true },
    { title: "Assigned", isFigure: true },
    { title: "State" },
  ];
  return alignColumns(columns, rows, style);
}

export function statusLines(trial: TrialView, style: Style, now: number): string {
  const parts = [
    style.bold(
      `Trial ${trial.id}: rules of ${cleanText(trial.agent)} in ${placeOf(trial.project)}, ${describeState(trial, now)}`,
    ),
    `${trial.sessions} sessions assigned, ${trial.analysed} of them analysed; planned: ${trial.planned}`,
    ...trial.missing.map((line) => `No new sessions take part: ${cleanText(line)}`),
    "",
    ruleTable(trial.rules, style),
  ];
  const level = trial.rules.find(({ saving }) => saving !== null)?.saving?.level;
  if (level !== undefined)
    parts.push(
      `Real work: share of new tokens saved per completed prompt, with a ${Math.round(100 * level)}% interval for each rule that stays valid however often you look.`,
      "Benchmark: the same per completed run, from its latest report. Together: both, weighted by precision, unless they contradict each other.",
      "",
    );
  parts.push(...guardLines(trial.rules, style));
  const proven = trial.rules.filter(({ basis }) => basis !== null);
  for (const { id, basis } of proven)
    parts.push(
      `Rule ${id} is shown to save on real work${basis === "both" ? " and its benchmark together" : ""}: add it to the agent's memory with purser trial admit ${id}.`,
    );
  if (proven.length > 0) parts.push("");
  if (trial.drawn.length > 0) parts.push(sessionTable(trial.drawn, style, now));
  parts.push(...moreLines(trial.drawn.length));
  if (trial.undrawn.length > 0)
    parts.push(
      "Sessions of that time that were not assigned:",
      ...trial.undrawn
        .slice(0, mostSessions)
        .map(({ id, at, leftOut }) => `  ${cleanText(id)}  ${describeTime(at, now)}  ${cleanText(leftOut)}`),
      ...moreLines(trial.undrawn.length),
      "",
    );
  return parts.join("\n");
}

function moreLines(sessions: number): string[] {
  return sessions > mostSessions ? [`${sessions - mostSessions} more: --json lists them`, ""] : [];
}

function ruleTable(rules: readonly TriedRuleView[], style: Style): string {
  const rows = rules.map((rule) => [
    rule.id,
    describeVerdict(rule),
    describeSaving(rule.saving),
    describeSaving(rule.benchmark?.saving ?? null),
    describeSaving(rule.together),
    String(rule.withIt),
    String(rule.withoutIt),
    cleanText(rule.text ?? "deleted rule"),
  ]);
  const columns: readonly Column[] = [
    { title: "Rule" },
    { title: "Verdict", fit: "end" },
    { title: "Real work", isFigure: true },
    { title: "Benchmark", isFigure: true },
    { title: "Together", isFigure: true },
    { title: "With", isFigure: true },
    { title: "Without", isFigure: true },
    { title: "Sentence", most: widest, fit: "end" },
  ];
  return alignColumns(columns, rows, style);
}

/** How prompts went with each rule, as far as it is known of any. */
function guardLines(rules: readonly TriedRuleView[], style: Style): string[] {
  const known = rules.filter(({ completed, uncorrected }) => completed !== null || uncorrected !== null);
  if (known.length === 0) return [];
  const rows = known.map(({ id, completed, uncorrected }) => [
    id,
    describePoints(completed),
    describePoints(uncorrected),
  ]);
  const columns: readonly Column[] = [
    { title: "Rule" },
    { title: "Completed", isFigure: true },
    { title: "Not corrected", isFigure: true },
  ];
  return [
    "Completed prompts, and prompts that do not start by correcting the agent: with the rule minus without it, in percentage points.",
    alignColumns(columns, rows, style),
  ];
}

function describePoints(difference: TriedRuleView["completed"]): string {
  if (difference === null) return "unknown";
  const { value, low, high } = difference;
  const [middle, least, most] = [value, low, high].map((share) => Math.round(100 * share));
  return `${middle} (${least} to ${most})`;
}

function describeVerdict({ verdict, reason, isDrawn, status }: TriedRuleView): string {
  const left = isDrawn || status === null ? "" : ` (${status}, no longer assigned)`;
  return `${reason === null ? verdict : `${verdict}: ${reason}`}${left}`;
}

function describeSaving(saving: TriedRuleView["saving"]): string {
  if (saving === null) return dash;
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => Math.round(100 * share));
  return `${value}% (${low} to ${high})`;
}

function sessionTable(sessions: readonly TriedSessionView[], style: Style, now: number): string {
  const rows = sessions
    .slice(0, mostSessions)
    .map((each) => [
      cleanText(each.id),
      describeTime(each.at, now),
      each.given.length === 0 ? "none" : each.given.map(cleanText).join(" "),
      `${each.completed}/${each.completed + each.interrupted + each.failed}`,
      each.corrections === null ? dash : String(each.corrections),
      each.tokens === null ? dash : wholeNumber(each.tokens),
      each.leftOut === null ? "" : cleanText(each.leftOut),
    ]);
  const columns: readonly Column[] = [
    { title: "Session" },
    { title: "Began" },
    { title: "Had", fit: "end" },
    { title: "Completed", isFigure: true },
    { title: "Corrections", isFigure: true },
    { title: "Tokens", isFigure: true },
    { title: "Left out", fit: "wrap" },
  ];
  return alignColumns(columns, rows, style);
}

function describeState({ startedAt, stoppedAt }: TrialHead, now: number): string {
  const since = `since ${describeTime(startedAt, now)}`;
  return stoppedAt === null ? `running ${since}` : `stopped ${describeTime(stoppedAt, now)}`;
}

function placeOf(project: string | null): string {
  return project === null ? "all folders" : cleanText(project);
}
