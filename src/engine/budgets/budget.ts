import * as z from "zod/mini";
import { sentence } from "../base/language.ts";
import { issuePath } from "../base/parse.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import { exact, maxAmounts, unitNames, type UnitName } from "./amounts.ts";
import { readConvoyId } from "./convoys/id.ts";

export type { BudgetFailure, Budgeted } from "./faults.ts";
export { budgetPaths } from "./disk-layout.ts";

/** What a limit applies to, the narrowest first. */
export const levelNames = ["session", "agent", "convoy", "project"] as const;
export type LevelName = (typeof levelNames)[number];

/**
 * Period over which usage counts: all of it, one run (from one prompt to the next), or one local calendar day, week (from Monday) or
 * month.
 */
export const periodNames = ["total", "run", "day", "week", "month"] as const;
export type PeriodName = (typeof periodNames)[number];

/** Tokens. See `maxAmounts`. */
export const maxLimit = maxAmounts.tokens;

const period = z.enum(periodNames);
const priced = (most: number) =>
  z.number().check(
    z.positive(),
    z.maximum(most),
    z.refine((value) => exact(value) === value),
  );

/** Amount and unit of a limit. Dollars and credits have at most six digits after the point. */
export const amountShape = {
  tokens: { amount: z.int().check(z.minimum(1), z.maximum(maxLimit)), unit: z.literal("tokens") },
  usd: { amount: priced(maxAmounts.usd), unit: z.literal("usd") },
  credits: { amount: priced(maxAmounts.credits), unit: z.literal("credits") },
};

const levelSchema = z.discriminatedUnion("unit", [
  z.strictObject({ ...amountShape.tokens, period }),
  z.strictObject({ ...amountShape.usd, period }),
  z.strictObject({ ...amountShape.credits, period }),
]);

const levelsSchema = z.strictObject({
  session: z.exactOptional(levelSchema),
  agent: z.exactOptional(levelSchema),
  convoy: z.exactOptional(levelSchema),
  project: z.exactOptional(levelSchema),
});

/** A timestamp in files, such as `2026-11-22T11:35:00.000Z`. */
const moment = z.iso.datetime();

/** More are a mistake, and each hook checks all of them. */
export const maxMembers = { branches: 50, sessions: 200 };
/** Ids are outside text: an agent's name, a session's id. */
export const word = z.string().check(z.minLength(1), z.maxLength(200));

const membersSchema = z.strictObject({
  /** Git branch names; `*` matches anything. */
  branches: z.exactOptional(z.array(word).check(z.maxLength(maxMembers.branches))),
  sessions: z.exactOptional(z.array(word).check(z.maxLength(maxMembers.sessions))),
});

const subagents = z.exactOptional(z.int().check(z.minimum(1), z.maximum(1000)));

const fanOutSchema = z.strictObject({
  /** Subagents of a session that run at once. */
  atOnce: subagents,
  /** Subagents that one prompt starts. */
  perPrompt: subagents,
  /** Depth of subagents: 1 are those of the main agent. */
  depth: subagents,
  /** Models that a subagent is not to run on, by a part of their names. */
  models: z.exactOptional(z.array(word).check(z.minLength(1), z.maxLength(20))),
});

/** Limits on subagents. Beyond each, its user is asked once in a prompt. */
export type FanOut = Readonly<z.infer<typeof fanOutSchema>>;

/** Fields of every version of the file. */
export const commonShape = {
  convoyId: z.string().check(z.refine((id) => readConvoyId(id).ok)),
  warnPercent: z.int().check(z.minimum(1), z.maximum(100)),
  members: z.exactOptional(membersSchema),
};

/** The content of `.purser/budgets/<convoyId>.json`. `convoys-store.ts` has the previous versions. */
export const budgetSchema = z.strictObject({
  schema: z.literal(3),
  ...commonShape,
  levels: levelsSchema.check(z.refine((levels) => Object.keys(levels).length > 0)),
  fanOut: z.exactOptional(fanOutSchema),
  /** Missing in files of the first version. */
  createdAt: z.exactOptional(moment),
  updatedAt: z.exactOptional(moment),
});

/**
 * A limit. Tokens are processing tokens: input, output, and cache creation; cache reads were counted when they were written. Dollars
 * and credits also count cache reads.
 */
export interface Level {
  readonly amount: number;
  readonly unit: UnitName;
  readonly period: PeriodName;
}

/** A limit in tokens as written before limits had units. */
export interface FormerLevel {
  readonly limit: number;
  readonly period: PeriodName;
}

/** Returns a limit in its present form. */
export function presentLevel(level: Level | FormerLevel): Level {
  return "limit" in level ? { amount: level.limit, unit: "tokens", period: level.period } : level;
}

/**
 * Budget of a convoy, a group of agents that work on one thing. Every level is optional: `convoy` limits all of them together, `agent`
 * each agent (a session's main agent is one, and each of its subagents), `session` each session with its subagents, `project` everything
 * in the project, whatever its convoy.
 */
export type Budget = Omit<Readonly<z.infer<typeof budgetSchema>>, "levels"> & { readonly levels: Levels };
export type Levels = Readonly<Partial<Record<LevelName, Level>>>;
/** Explicit members of the convoy; sessions on a branch of the convoy's name belong to it anyway. See `convoyOf`. */
export type Members = Readonly<z.infer<typeof membersSchema>>;

/** Defaults. Tokens and percent. */
export const defaults = { convoy: 500_000, agent: 100_000, warnPercent: 80 } as const;

/** The default period of a level: a project continues for ever, its convoys, sessions and agents do not. */
export function usualPeriod(level: LevelName): PeriodName {
  return level === "project" ? "day" : "total";
}

const defaultLevels: Levels = {
  convoy: { amount: defaults.convoy, unit: "tokens", period: usualPeriod("convoy") },
  agent: { amount: defaults.agent, unit: "tokens", period: usualPeriod("agent") },
};

export interface NewBudget {
  readonly convoyId: string;
  /** Defaults to the default limits of convoy and agent. */
  readonly levels?: Readonly<Partial<Record<LevelName, Level | FormerLevel>>>;
  /** Share of a limit, in percent, from which it warns. Defaults to 80. */
  readonly warnPercent?: number;
  readonly members?: Members;
  readonly fanOut?: FanOut;
}

/** Creates and validates a budget, without writing it. @param at milliseconds since the epoch */
export function newBudget(
  { convoyId, levels = defaultLevels, warnPercent = defaults.warnPercent, members, fanOut }: NewBudget,
  at: number,
): Result<Budget, "invalid_id" | "invalid"> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const given = {
    ...(members === undefined ? {} : { members }),
    ...(fanOut === undefined ? {} : { fanOut }),
  };
  const times = { createdAt: timeText(at), updatedAt: timeText(at) };
  return checkedBudget({ schema: 3, convoyId: id.value, levels, warnPercent, ...given, ...times });
}

/** Returns limits in their present form. */
export function presentLevels(levels: NonNullable<NewBudget["levels"]>): Levels {
  const present: Partial<Record<LevelName, Level>> = {};
  for (const name of levelNames) {
    const { [name]: level } = levels;
    if (level !== undefined) present[name] = presentLevel(level);
  }
  return present;
}

/** Formats a timestamp for files; the epoch for an invalid time. @param at milliseconds since the epoch */
export function timeText(at: number): string {
  const time = new Date(at);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}

/** A budget as a caller may give it: its limits may have their former shape. */
export type GivenBudget = Omit<Budget, "schema" | "levels"> & {
  readonly schema: 2 | 3;
  readonly levels: NonNullable<NewBudget["levels"]>;
};

export function checkedBudget(budget: GivenBudget): Result<Budget, "invalid"> {
  const parsed = budgetSchema.safeParse({ ...budget, schema: 3, levels: presentLevels(budget.levels) });
  if (parsed.success) return succeed(parsed.data);
  const [section = "", name = ""] = issuePath(parsed.error).map(String);
  if (section === "warnPercent")
    return fail("invalid", sentence("the warning is at a whole number of percent, 1 to 100"));
  if (section === "members")
    return fail(
      "invalid",
      sentence(
        "a group has up to {0} branches and {1} sessions, of 1 to 200 characters each",
        maxMembers.branches,
        maxMembers.sessions,
      ),
    );
  if (section === "fanOut")
    return fail(
      "invalid",
      sentence("limits on subagents are whole numbers from 1 to 1,000, and up to 20 names of models"),
    );
  if (section === "createdAt" || section === "updatedAt")
    return fail("invalid", sentence("{0} is a time such as 2026-11-22T11:35:00.000Z", section));
  if (name !== "")
    return fail(
      "invalid",
      sentence(
        "the limit of {0} has an amount, a unit ({1}) and a period: a whole number of tokens, up to a million million, or more than 0 and up to {2} dollars or {3} credits",
        name,
        unitNames.join(", "),
        maxAmounts.usd,
        maxAmounts.credits,
      ),
    );
  return fail("invalid", sentence("a budget has a limit for one at least of {0}", levelNames.join(", ")));
}

export interface Limit extends Level {
  readonly level: LevelName;
  readonly warnPercent: number;
  /** The budget's convoy: for a project's limit, possibly another than the call's. */
  readonly from: string;
}
