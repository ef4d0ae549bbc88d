import { dash, percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import { describePeriod } from "../../budgets/check/describe-answer.ts";
import { levelNames, type Budget, type Level } from "../../budgets/budget.ts";
import type { BudgetReport, ReportedLevel } from "../../budgets/standing.ts";
import type { CliHost } from "../ports.ts";
import type { BudgetOutcome, ShownBudget } from "./outcome.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { describeTime } from "../describe-time.ts";

/** The widest first, as people think of them. */
const levels = levelNames.toReversed();
const title = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** Prints budgets as a table for a person: their reports where requested, else their limits. */
export function printBudgets({ project, budgets, faults, strays }: BudgetOutcome, host: CliHost): void {
  const reports = budgets.flatMap(({ report }) => report ?? []);
  if (reports.length > 0) for (const report of reports) printReport(report, host);
  else if (budgets.length > 0) printLimits(budgets, host);
  else if (faults.length === 0)
    host.stdout.write(`No budgets in ${cleanText(project)}; create one with purser budget create ID\n`);
  for (const { detail } of [...faults, ...strays]) host.stderr.write(`purser budget: ${cleanText(detail)}\n`);
}

function printLimits(budgets: readonly ShownBudget[], host: CliHost): void {
  const columns: readonly Column[] = [
    { title: "Budget" },
    ...levels.map((name) => ({ title: title(name), isFigure: true })),
    { title: "Warns at", isFigure: true },
    { title: "Members", fit: "end" },
    { title: "File", fit: "middle", dropped: 1 },
  ];
  const rows = budgets.map(({ budget, file }) => [
    budget.convoyId,
    ...levels.map((name) => describeLimit(budget.levels[name])),
    percent(budget.warnPercent),
    describeMembers(budget),
    cleanText(file),
  ]);
  host.stdout.write(alignColumns(columns, rows, styleFor(host)));
}

/** `branches checkout, oars/*; 2 sessions`; `-` where there are none. */
function describeMembers({ members }: Budget): string {
  const { branches = [], sessions = [] } = members ?? {};
  const named = branches.length === 0 ? [] : [`branches ${cutMiddle(cleanText(branches.join(", ")), 40)}`];
  const joined = sessions.length === 0 ? [] : [`${sessions.length} joined`];
  return [...named, ...joined].join("; ") || dash;
}

/** `500,000/day`; `-` where there is no limit. */
function describeLimit(level: Level | undefined): string {
  return level === undefined ? dash : `${wholeNumber(level.limit)}/${level.period}`;
}

const columns: readonly Column[] = [
  { title: "Level" },
  { title: "Whose", fit: "end" },
  { title: "Used", isFigure: true },
  { title: "Reserved", isFigure: true },
  { title: "Limit", isFigure: true },
  { title: "Left", isFigure: true },
  { title: "%", isFigure: true },
  { title: "Counts", fit: "end", dropped: 1 },
  { title: "Standing" },
];

function printReport({ budget, levels: states, leases, at }: BudgetReport, host: CliHost): void {
  const style = styleFor(host);
  host.stdout.write(`${style.bold(budget.convoyId)}, warns at ${percent(budget.warnPercent)}\n`);
  const inOrder = states.toSorted(
    (one, other) => levels.indexOf(one.level) - levels.indexOf(other.level) || other.used - one.used,
  );
  host.stdout.write(
    inOrder.length === 0
      ? "Nothing has been spent yet.\n"
      : alignColumns(
          columns,
          inOrder.map((state) => cells(state, budget.convoyId)),
          style,
        ),
  );
  const aside = leases.reduce((sum, { tokens }) => sum + tokens, 0);
  if (leases.length === 0) return;
  const first = Math.min(...leases.map(({ expiresAt }) => expiresAt));
  const count = leases.length === 1 ? "one call" : `${leases.length} calls`;
  host.stdout.write(
    `${shortNumber(aside)} tokens are reserved for ${count}; the next reservation ends at ${describeTime(first, at)}\n`,
  );
}

/** `Explore 5ff98c68` for an agent in a session; `each` where nothing was used yet. */
function whoIs({ level, subject, sessionId, agentType }: ReportedLevel): string {
  if (level === "project") return "all of it";
  if (subject === null) return "each";
  return level === "agent" ? `${agentType ?? subject} of ${(sessionId ?? "").slice(0, shortId)}` : subject;
}

/** The beginning of an id is enough to find a session by. Characters. */
const shortId = 8;
/** Maximum length of a name, which comes from an agent. Characters. */
const longestName = 36;

function cells(state: ReportedLevel, convoyId: string): string[] {
  const { level, runId, from, period, since, verdict } = state;
  const whose = cutMiddle(cleanText(whoIs(state)), longestName);
  const of = from === convoyId ? "" : ` (limit of ${from})`;
  return [
    title(level),
    `${whose}${of}`,
    wholeNumber(state.used),
    wholeNumber(state.reserved),
    wholeNumber(state.limit),
    wholeNumber(state.remaining),
    state.over > 0 ? `${Math.ceil(state.usagePercent)}%` : percent(state.usagePercent),
    period === "run" && runId !== null
      ? `run of ${cutMiddle(cleanText(runId), 12)}`
      : `${describePeriod[period]}${since === null ? "" : `, from ${since}`}`,
    verdict,
  ];
}
