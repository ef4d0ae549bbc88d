import { asLine, describeTime } from "../terminal-text.ts";
import { plural, t } from "../../base/language.ts";
import { dash } from "../../base/format.ts";
import { limitPercent, percent, shortNumber } from "../../base/local-format.ts";
import { limitAmount, localAmount, usedAmount } from "../../budgets/local-amount.ts";
import { cleanText, cutMiddle } from "../../base/text.ts";
import {
  levelNames,
  type Budget,
  type FanOut,
  type Level,
  type LevelName,
  type PeriodName,
} from "../../budgets/budget.ts";
import type { BudgetReport, ReportedLevel } from "../../budgets/budget-report.ts";
import type { CliHost } from "../cli-ports.ts";
import type { BudgetOutcome, ShownBudget } from "./budgets-outcome.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column, figures } from "../table.ts";
import type { LevelVerdict } from "../../budgets/check.ts";

/** In the terminal's language. Agents get the English words. */

export const levelWords: Readonly<Record<LevelName, string>> = {
  session: t("session"),
  agent: t("agent"),
  convoy: t("group"),
  project: t("project"),
};

const levelTitles: Readonly<Record<LevelName, string>> = {
  session: t("Session"),
  agent: t("Agent"),
  convoy: t("Group"),
  project: t("Project"),
};

export const periodWords: Readonly<Record<PeriodName, string>> = {
  total: t("in total"),
  run: t("in this run"),
  day: t("today"),
  week: t("this week"),
  month: t("this month"),
};

const verdictWords: Readonly<Record<LevelVerdict, string>> = {
  ok: t("ok"),
  warning: t("warning"),
  exceeded: t("exceeded"),
};

/** Widest first. */
const levels = levelNames.toReversed();

export function printBudgets({ project, budgets, faults, strays }: BudgetOutcome, host: CliHost): void {
  const reports = budgets.flatMap(({ report }) => report ?? []);
  if (reports.length > 0) for (const report of reports) printReport(report, host);
  else if (budgets.length > 0) printLimits(budgets, host);
  else if (faults.length === 0)
    host.stdout.write(
      `${t("No budgets in {0}; create one with purser budget create ID", cleanText(project))}\n`,
    );
  for (const { detail } of [...faults, ...strays]) host.stderr.write(`purser budget: ${asLine(detail)}\n`);
}

function printLimits(budgets: readonly ShownBudget[], host: CliHost): void {
  const columns: readonly Column[] = [
    { title: t("Budget") },
    ...levels.map((name) => ({ title: levelTitles[name], isFigure: true })),
    { title: t("Warns at"), isFigure: true },
    { title: t("Members"), fit: "end" },
    { title: t("File"), fit: "middle", dropped: 1 },
  ];
  const rows = budgets.map(({ budget, file }) => [
    budget.convoyId,
    ...levels.map((name) => describeLimit(budget.levels[name])),
    percent(budget.warnPercent),
    describeMembers(budget),
    cleanText(file),
  ]);
  host.stdout.write(alignColumns(columns, rows, styleFor(host)));
  for (const { budget } of budgets)
    if (budget.fanOut !== undefined) host.stdout.write(`${describeFanOut(budget.convoyId, budget.fanOut)}\n`);
}

/** `fleet asks before subagents beyond: 10 at once; 40 of a prompt; depth 2; models opus`. */
function describeFanOut(id: string, { atOnce, perPrompt, depth, models }: FanOut): string {
  const limits = [
    ...(atOnce === undefined ? [] : [t("{0} at once", atOnce)]),
    ...(perPrompt === undefined ? [] : [t("{0} of a prompt", perPrompt)]),
    ...(depth === undefined ? [] : [t("depth {0}", depth)]),
    ...(models === undefined ? [] : [t("not on {0}", cleanText(models.join(", ")))]),
  ];
  return t("{0} asks before subagents beyond: {1}", id, limits.join("; "));
}

/** `branches checkout, oars/*; 2 sessions`; `-` for none. */
function describeMembers({ members }: Budget): string {
  const { branches = [], sessions = [] } = members ?? {};
  const named =
    branches.length === 0 ? [] : [t("branches {0}", cutMiddle(cleanText(branches.join(", ")), 40))];
  const joined = sessions.length === 0 ? [] : [t("{0} joined", sessions.length)];
  return [...named, ...joined].join("; ") || dash;
}

/** `500,000/day`; `-` without a limit. */
function describeLimit(level: Level | undefined): string {
  return level === undefined ? dash : `${limitAmount(level, level.amount)}/${level.period}`;
}

const columns: readonly Column[] = [
  { title: t("Level") },
  { title: t("Whose"), fit: "end" },
  ...figures(t("Used"), t("Reserved"), t("Limit"), t("Left"), "%"),
  { title: t("Counts"), fit: "end", dropped: 1 },
  { title: t("Standing") },
];

function printReport({ budget, levels: states, leases, at }: BudgetReport, host: CliHost): void {
  const style = styleFor(host);
  host.stdout.write(`${style.bold(budget.convoyId)}, ${t("warns at {0}", percent(budget.warnPercent))}\n`);
  const inOrder = states.toSorted(
    (one, other) => levels.indexOf(one.level) - levels.indexOf(other.level) || other.used - one.used,
  );
  host.stdout.write(
    inOrder.length === 0
      ? `${t("Nothing has been spent yet.")}\n`
      : alignColumns(
          columns,
          inOrder.map((state) => cells(state, budget.convoyId)),
          style,
        ),
  );
  const unpriced = Math.max(0, ...states.map((state) => state.unpriced));
  if (unpriced > 0)
    host.stdout.write(
      `${t("≥: no price is known for {0} tokens. Set it in the setting models.", shortNumber(unpriced))}\n`,
    );
  const aside = leases.reduce((sum, { tokens }) => sum + tokens, 0);
  if (leases.length === 0) return;
  const first = Math.min(...leases.map(({ expiresAt }) => expiresAt));
  const [tokens, end] = [shortNumber(aside), describeTime(first, at)];
  const reserved = plural(
    leases.length,
    t("{0} tokens are reserved for one call; the next reservation ends at {1}", tokens, end),
    t("{0} tokens are reserved for {1} calls; the next reservation ends at {2}", tokens, leases.length, end),
  );
  host.stdout.write(`${reserved}\n`);
}

/** `Explore 5ff98c68` for an agent in a session; `each` where nothing was used yet. */
function whoIs({ level, subject, sessionId, agentType }: ReportedLevel): string {
  if (level === "project") return t("all of it");
  if (subject === null) return t("each");
  return level === "agent"
    ? t("{0} of {1}", agentType ?? subject, (sessionId ?? "").slice(0, shortId))
    : subject;
}

/** Enough to find a session by. Characters. */
const shortId = 8;
/** Names come from agents. Characters. */
const maxNameLength = 36;

function cells(state: ReportedLevel, convoyId: string): string[] {
  const { level, runId, from, period, since, verdict } = state;
  const owner = cutMiddle(cleanText(whoIs(state)), maxNameLength);
  const of = from === convoyId ? "" : ` (${t("limit of {0}", from)})`;
  return [
    levelTitles[level],
    `${owner}${of}`,
    usedAmount(state, state.used),
    localAmount(state, state.reserved),
    limitAmount(state, state.amount),
    localAmount(state, state.remaining),
    limitPercent(state.usagePercent),
    period === "run" && runId !== null
      ? t("run of {0}", cutMiddle(cleanText(runId), 12))
      : `${periodWords[period]}${since === null ? "" : `, ${t("from {0}", since)}`}`,
    verdictWords[verdict],
  ];
}
