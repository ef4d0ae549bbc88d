import * as z from "zod";

const tokens = z.int().nonnegative();
const period = z.enum(["run", "day", "week", "month"]);
const level = z.strictObject({
  limit: z.int().positive().describe("Processing tokens: input, output and what was written to the cache."),
  period: period.describe("How long usage counts; days, weeks (from Monday) and months are local ones."),
});

const standing = z.strictObject({
  level: z.enum(["session", "agent", "convoy", "project"]),
  subject: z.string().nullable().describe("The session's, agent's or convoy's id; null is the project."),
  runId: z.string().nullable().describe("Of a limit for a run."),
  since: z.iso.date().nullable().describe("First local day that counts; null of a run."),
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

/** What `purser budget … --json` prints, whatever the word. Members may be added; any other change changes `schema`. */
export const budgetJson = z
  .strictObject({
    schema: z.literal(1),
    project: z.string().describe("The folder whose budgets these are."),
    budgets: z.array(
      z.strictObject({
        convoyId: z.string(),
        file: z.string(),
        warnPercent: z.int(),
        levels: z.strictObject({
          session: level.nullable(),
          agent: level.nullable(),
          convoy: level.nullable(),
          project: level.nullable(),
        }),
        members: z
          .strictObject({ branches: z.array(z.string()), sessions: z.array(z.string()) })
          .describe("Which sessions are of the convoy, beside those on a branch that is called like it."),
        standings: z.array(standing).nullable().describe("How each limit stands; null but for report."),
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
  })
  .meta({ title: "purser budget --json" });
export type BudgetJson = z.infer<typeof budgetJson>;
