import { sentence, sentenceOf, compose } from "../../base/language.ts";
import { succeed, type Result } from "../../base/result.ts";
import {
  defaults,
  type FanOut,
  levelNames,
  periodNames,
  usualPeriod,
  type Level,
  type LevelName,
  type Levels,
  type Members,
  type PeriodName,
} from "../../budgets/budget.ts";
import { amountForms, readAmount } from "../../budgets/amounts.ts";
import { membersOf } from "../../budgets/convoys.ts";
import { oneOf, option, quoted, type ParsedOptions, wrongUsage } from "../args.ts";

export const tokenForms = "tokens such as 500000, 500k or 1.5M";
export const limitForms = `${amountForms}, with /total, /run, /day, /week or /month, or none`;

const fanOutForms = "a whole number from 1 to 1000, or none";

export const limitOptions = {
  group: option("T", limitForms, "limit of all its agents together"),
  convoy: { value: limitForms, isFormer: true },
  agent: option("T", limitForms, "limit of each agent: the main agent of each session, and each subagent"),
  session: option("T", limitForms, "limit of each session, with its subagents"),
  project: option("T", limitForms, "limit of everything in the project, in any group"),
  period: oneOf(
    periodNames,
    "P",
    "total, run, day, week or month, for limits given without one (default: day for a project, else total)",
  ),
  warn: option("N", "a percentage from 1 to 100", "warn from this percentage of a limit (default: 80)"),
  "at-once": option("N", fanOutForms, "ask before more than N subagents of a session run at once"),
  "per-prompt": option("N", fanOutForms, "ask before a prompt starts more than N subagents"),
  depth: option("N", fanOutForms, "ask before subagents nest deeper than N"),
  "ask-models": option(
    "M",
    "parts of models' names, comma-separated; or none",
    "ask before a subagent runs on such a model, such as opus,fable",
  ),
  branch: option(
    "B",
    "branch names, comma-separated; * matches anything; or none",
    "branches whose sessions belong to the group, comma-separated; * matches anything",
  ),
};

export interface BudgetLimits {
  readonly levels: Levels;
  readonly warnPercent: number;
  readonly members?: Members;
  readonly fanOut?: FanOut;
}

export const noLimits: BudgetLimits = { levels: {}, warnPercent: defaults.warnPercent };

/** `--period` applies to the limits of this command that have no period. Without limits, it applies to all limits of the budget. */
export function readBudgetOptions(
  options: ParsedOptions,
  known: Readonly<BudgetLimits> = noLimits,
): Result<BudgetLimits, "bad_argument"> {
  const period = readPeriod(options.value("period"));
  if (!period.ok) return period;
  const warnPercent = readPercent(options.value("warn"), known.warnPercent);
  if (!warnPercent.ok) return warnPercent;
  const isAnyGiven = levelNames.some((name) => optionOf(name, options) !== undefined);
  const levels: Partial<Record<LevelName, Level>> = {};
  for (const name of levelNames) {
    const { [name]: before } = known.levels;
    const text = optionOf(name, options);
    const level = text === undefined ? succeed(before ?? null) : readLimit(name, text, before, period.value);
    if (!level.ok) return level;
    if (level.value === null) continue;
    const isForAll = text === undefined && !isAnyGiven && period.value !== null;
    levels[name] = isForAll ? { ...level.value, period: period.value } : level.value;
  }
  const fanOut = readFanOut(options, known.fanOut);
  if (!fanOut.ok) return fanOut;
  const sessions = known.members?.sessions ?? [];
  const branches = readBranches(options.value("branch")) ?? known.members?.branches ?? [];
  const members = membersOf({ branches, sessions });
  return succeed({ levels, warnPercent: warnPercent.value, ...members, ...fanOut.value });
}

const counted = { atOnce: "at-once", perPrompt: "per-prompt", depth: "depth" } as const;

function readFanOut(
  options: ParsedOptions,
  known: FanOut = {},
): Result<Pick<BudgetLimits, "fanOut">, "bad_argument"> {
  const numbers: [string, number][] = [];
  for (const name of ["atOnce", "perPrompt", "depth"] as const) {
    const { [name]: before } = known;
    const text = options.value(counted[name]) ?? before?.toString() ?? "none";
    if (text === "none") continue;
    const value = /^\d{1,4}$/u.test(text) ? Number(text) : 0;
    if (value < 1 || value > 1000)
      return wrongUsage(
        sentence("--{0} takes {1}, not {2}", counted[name], sentenceOf(fanOutForms), quoted(text)),
      );
    numbers.push([name, value]);
  }
  const models = readBranches(options.value("ask-models")) ?? known.models ?? [];
  const fanOut: FanOut = {
    ...Object.fromEntries(numbers),
    ...(models.length === 0 ? {} : { models: [...models] }),
  };
  return succeed(Object.keys(fanOut).length === 0 ? {} : { fanOut });
}

function optionOf(level: LevelName, options: ParsedOptions): string | undefined {
  return (level === "convoy" ? options.value("group") : undefined) ?? options.value(level);
}

function readBranches(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim());
  return text === "none" ? [] : [...new Set(names)];
}

function readLimit(
  name: LevelName,
  text: string,
  before: Level | undefined,
  period: PeriodName | null,
): Result<Level | null, "bad_argument"> {
  if (text === "none") return succeed(null);
  const [given = "", own] = text.split("/", 2);
  const amount = readAmount(given);
  if (amount === undefined)
    return wrongUsage(sentence("--{0} takes {1}, not {2}", name, sentenceOf(limitForms), quoted(text)));
  const chosen = own === undefined ? succeed(period ?? before?.period ?? usualPeriod(name)) : readPeriod(own);
  if (!chosen.ok) return wrongUsage(compose`--${name} ${quoted(text)}: ${chosen.detail}`);
  return succeed({ ...amount, period: chosen.value ?? usualPeriod(name) });
}

export function readPeriod(text: string | undefined): Result<PeriodName | null, "bad_argument"> {
  if (text === undefined) return succeed(null);
  const period = periodNames.find((name) => name === text);
  if (period !== undefined) return succeed(period);
  return wrongUsage(sentence("a period is one of {0}, not {1}", periodNames.join(", "), quoted(text)));
}

function readPercent(text: string | undefined, known: number): Result<number, "bad_argument"> {
  if (text === undefined) return succeed(known);
  const value = Number(/^(\d{1,3})%?$/u.exec(text)?.[1] ?? NaN);
  if (value >= 1 && value <= 100) return succeed(value);
  return wrongUsage(sentence("--warn takes a whole percentage from 1 to 100, not {0}", quoted(text)));
}
