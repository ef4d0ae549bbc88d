import * as z from "zod";
import { levelNames, periodNames } from "../../budgets/budget.ts";

const tokens = z.int().nonnegative();
const period = z.enum(periodNames);
const level = z.strictObject({
  limit: z.int().positive().describe("Processing tokens: input, output and what was written to the cache."),
  period: period.describe(
    "How long usage counts: all of it, during one run (what one prompt begins), or in a local day, week (from Monday) or month.",
  ),
});

const levelState = z.strictObject({
  level: z.enum(levelNames),
  subject: z
    .string()
    .nullable()
    .describe("The session's, agent's or convoy's id; null is the project, or nobody yet."),
  sessionId: z.string().nullable().describe("Of a session's or an agent's limit, and of a limit for a run."),
  agentType: z.string().nullable().describe("Of an agent's limit: the subagent's type, where it is known."),
  runId: z
    .string()
    .nullable()
    .describe("Of a limit for a run; the session's id stands for the run it is in."),
  since: z.iso
    .date()
    .nullable()
    .describe("First local day that counts; null where all of it, or one run, does."),
  from: z.string().describe("The convoy whose budget has this limit."),
  period,
  limit: z.int().positive(),
  used: tokens,
  reserved: tokens.describe("Set aside for calls that may be under way."),
  remaining: tokens,
  over: tokens.describe("What is used and set aside beyond the limit."),
  usagePercent: z
    .number()
    .nonnegative()
    .describe("Used and set aside, of the limit; above 100 when exceeded."),
  verdict: z.enum(["ok", "warning", "exceeded"]),
});

export type LevelJson = z.infer<typeof levelState>;

/**
 * Output of `purser budget … --json`, for every subcommand but `check`, `record` and `release`. Members may
 * be added; any other change changes `schema`.
 */
export const budgetJson = z
  .strictObject({
    schema: z.literal(2),
    project: z.string().describe("The folder whose budgets these are."),
    budgets: z.array(
      z.strictObject({
        convoyId: z.string(),
        file: z.string(),
        warnPercent: z.int(),
        createdAt: z.iso
          .datetime()
          .nullable()
          .describe("Null where its file is of a version that told none."),
        updatedAt: z.iso.datetime().nullable(),
        levels: z.strictObject({
          session: level.nullable(),
          agent: level.nullable(),
          convoy: level.nullable(),
          project: level.nullable(),
        }),
        members: z
          .strictObject({ branches: z.array(z.string()), sessions: z.array(z.string()) })
          .describe("Which sessions are of the convoy, beside those on a branch that is called like it."),
        standings: z
          .array(levelState)
          .nullable()
          .describe("How each limit stands; null but for report and create."),
        leases: z
          .array(
            z.strictObject({
              id: z.string(),
              agentId: z.string(),
              sessionId: z.string(),
              tokens,
              expiresAt: z.iso.datetime(),
            }),
          )
          .nullable()
          .describe("What is set aside and for whom; null but for report."),
      }),
    ),
    faults: z
      .array(z.strictObject({ reason: z.string(), detail: z.string() }))
      .describe("Budgets that cannot be used, and why: nothing may be spent until that is mended."),
    strays: z
      .array(z.strictObject({ file: z.string(), detail: z.string() }))
      .describe("Files among the budgets that are none, and what to do about them; they limit nothing."),
  })
  .meta({ title: "purser budget --json" });
export type BudgetJson = z.infer<typeof budgetJson>;

const caller = {
  schema: z.literal(1),
  project: z.string().describe("The folder whose budgets these are."),
  convoyId: z
    .string()
    .nullable()
    .describe("Null where the call is of no convoy: then the project's limits hold."),
  agentId: z.string(),
  sessionId: z.string(),
  place: z
    .strictObject({
      from: z
        .enum(["option", "session", "cwd"])
        .describe("What told it: --cwd, the session of --session, which began there, or the current folder."),
      folder: z.string(),
      branch: z.string().nullable().describe("By which the convoy is found, where no ID is told."),
      why: z
        .string()
        .nullable()
        .describe("Why it is not the place of the session told; null where it is, or none was."),
    })
    .describe("Where the call is made, which says the project."),
};

/** Output of `purser budget check --json`. */
export const budgetCheckJson = z
  .strictObject({
    ...caller,
    allowed: z.boolean().describe("Whether the call may be made. The exit code says it too: 0, or 3."),
    reason: z.enum([
      "ok",
      "warning_threshold",
      "agent_budget_exceeded",
      "convoy_budget_exceeded",
      "session_budget_exceeded",
      "project_budget_exceeded",
    ]),
    text: z.string().describe("The reason and what to do, in words; empty where all is well."),
    remainingTokens: tokens
      .nullable()
      .describe("What the deciding level has left after the call; null without limits."),
    usagePercent: z.number().nonnegative().nullable(),
    level: z.enum(levelNames).nullable().describe("The level that decided."),
    projected: z.strictObject({
      tokens: tokens.describe("What the call is counted with."),
      basis: z.enum(["history", "default", "given", "context", "unknown"]),
      source: z.string(),
    }),
    lease: z
      .strictObject({ id: z.string(), tokens, expiresAt: z.iso.datetime() })
      .nullable()
      .describe("What was set aside with --reserve; null where nothing was."),
    levels: z
      .array(levelState)
      .describe("Every limit that holds for the call, the narrowest first; the call counted in."),
  })
  .meta({ title: "purser budget check --json" });
export type BudgetCheckJson = z.infer<typeof budgetCheckJson>;

/** Output of `purser budget record --json`. */
export const budgetRecordJson = z
  .strictObject({
    ...caller,
    tokens: tokens.describe("What was told."),
    isNew: z.boolean().describe("False when it was told before, and so changed nothing."),
    beyondLease: tokens
      .nullable()
      .describe("What was used beyond its lease; 0 without one, null when that was over."),
  })
  .meta({ title: "purser budget record --json" });
export type BudgetRecordJson = z.infer<typeof budgetRecordJson>;
