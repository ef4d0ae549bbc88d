import * as z from "zod";
import { fail, succeed, type Result } from "../base/result.ts";
import { readConvoyId } from "./convoys/id.ts";

/** What a limit is for, the narrowest first. */
export const levelNames = ["session", "agent", "convoy", "project"] as const;
export type LevelName = (typeof levelNames)[number];

/**
 * How long usage counts: all of it, during one run (what one prompt begins, up to the next), or in one local calendar day, week (from
 * Monday) or month.
 */
export const periodNames = ["total", "run", "day", "week", "month"] as const;
export type PeriodName = (typeof periodNames)[number];

/** Far more than anyone spends, and sums of many of them are still exact. Tokens. */
export const largestLimit = 1e12;

const levelSchema = z.strictObject({
  limit: z.int().min(1).max(largestLimit),
  period: z.enum(periodNames),
});

const levelsSchema = z.strictObject({
  session: levelSchema.exactOptional(),
  agent: levelSchema.exactOptional(),
  convoy: levelSchema.exactOptional(),
  project: levelSchema.exactOptional(),
});

/** A time as files have it, such as `2026-11-22T11:35:00.000Z`. */
const moment = z.iso.datetime();

/** More are a mistake, and each hook looks at all of them. */
export const largestMembers = { branches: 50, sessions: 200 };
const word = z.string().min(1).max(200);

const membersSchema = z.strictObject({
  /** Git's names of branches; a `*` stands for anything. */
  branches: z.array(word).max(largestMembers.branches).exactOptional(),
  /** Ids of sessions. */
  sessions: z.array(word).max(largestMembers.sessions).exactOptional(),
});

/** What every version of the file has. */
export const commonShape = {
  convoyId: z.string().refine((id) => readConvoyId(id).ok),
  warnPercent: z.int().min(1).max(100),
  members: membersSchema.exactOptional(),
};

/** The content of `.purser/budgets/<convoyId>.json`. `budgets/convoys/first-schema.ts` has what it was before. */
export const budgetSchema = z.strictObject({
  schema: z.literal(2),
  ...commonShape,
  levels: levelsSchema.refine((levels) => Object.keys(levels).length > 0),
  /** Not told by files of the first version. */
  createdAt: moment.exactOptional(),
  updatedAt: moment.exactOptional(),
});

/** A limit. Processing tokens: input, output, and what was written to the cache; what is read from it was counted when it was written. */
export type Level = Readonly<z.infer<typeof levelSchema>>;

/**
 * What a convoy, a group of agents that work on one thing, may spend. Every level is optional: `convoy` is for all of them
 * together, `agent` for each agent (a session's main agent is one, and each of its subagents), `session` for each session with its
 * subagents, `project` for everything in the project, whatever convoy it is of.
 */
export type Budget = Readonly<z.infer<typeof budgetSchema>>;
export type Levels = Budget["levels"];
/** Which sessions are of the convoy; those on a branch that is called like the convoy are anyway. See `convoyOf`. */
export type Members = Readonly<z.infer<typeof membersSchema>>;

/** What is so when nothing else is told. Tokens and percent. */
export const defaults = { convoy: 500_000, agent: 100_000, warnPercent: 80 } as const;

/** How long a level's usage counts when nothing else is told: a project goes on for ever, what works in it does not. */
export function usualPeriod(level: LevelName): PeriodName {
  return level === "project" ? "day" : "total";
}

const defaultLevels: Levels = {
  convoy: { limit: defaults.convoy, period: usualPeriod("convoy") },
  agent: { limit: defaults.agent, period: usualPeriod("agent") },
};

export interface NewBudget {
  readonly convoyId: string;
  /** Without them the default ones of convoy and agent. */
  readonly levels?: Levels;
  /** From this share of a limit on, it warns. 80 when it is not told. */
  readonly warnPercent?: number;
  readonly members?: Members;
}

/** A budget of these limits, checked. Nothing is written. @param at milliseconds since the epoch */
export function newBudget(
  { convoyId, levels = defaultLevels, warnPercent = defaults.warnPercent, members }: NewBudget,
  at: number,
): Result<Budget, "invalid_id" | "invalid"> {
  const id = readConvoyId(convoyId);
  if (!id.ok) return id;
  const given = members === undefined ? {} : { members };
  const times = { createdAt: timeText(at), updatedAt: timeText(at) };
  return checkedBudget({ schema: 2, convoyId: id.value, levels, warnPercent, ...given, ...times });
}

/** A time as files have it. A clock that tells none is at the epoch. @param at milliseconds since the epoch */
export function timeText(at: number): string {
  const time = new Date(at);
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString();
}

/** Checks a budget that was put together from others' numbers. */
export function checkedBudget(budget: Budget): Result<Budget, "invalid"> {
  const parsed = budgetSchema.safeParse(budget);
  if (parsed.success) return succeed(parsed.data);
  const [place = "", name = ""] = (parsed.error.issues[0]?.path ?? []).map(String);
  if (place === "warnPercent")
    return fail("invalid", "the warning is at a whole number of percent, 1 to 100");
  if (place === "members")
    return fail(
      "invalid",
      `a convoy has up to ${largestMembers.branches} branches and ${largestMembers.sessions} sessions, of 1 to 200 characters each`,
    );
  if (place === "createdAt" || place === "updatedAt")
    return fail("invalid", `${place} is a time such as 2026-11-22T11:35:00.000Z`);
  if (name !== "")
    return fail("invalid", `the limit of ${name} is a whole number of tokens, 1 to a million million`);
  return fail("invalid", `a budget has a limit for one at least of ${levelNames.join(", ")}`);
}
