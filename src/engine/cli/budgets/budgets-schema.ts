import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";
import { unitNames } from "../../budgets/amounts.ts";
import { levelNames, periodNames } from "../../budgets/budget.ts";

const tokens = z.int().check(z.nonnegative());
const period = z.enum(periodNames);
const number = z.number().check(z.nonnegative());
const unit = described(
  z.enum(unitNames),
  "tokens are processing tokens: input, output and what was written to the cache. usd and credits (of GitHub Copilot) are at the prices in force, and count cache reads too.",
);
const amount = z.number().check(z.positive());
const level = z.strictObject({
  amount,
  unit,
  period: described(
    period,
    "How long usage counts: all of it, during one run (what one prompt begins), or in a local day, week (from Monday) or month.",
  ),
});

const levelState = z.strictObject({
  level: z.enum(levelNames),
  subject: described(
    z.nullable(z.string()),
    "The session's, agent's or convoy's id; null is the project, or nobody yet.",
  ),
  sessionId: described(
    z.nullable(z.string()),
    "Of a session's or an agent's limit, and of a limit for a run.",
  ),
  agentType: described(
    z.nullable(z.string()),
    "Of an agent's limit: the subagent's type, where it is known.",
  ),
  runId: described(
    z.nullable(z.string()),
    "Of a limit for a run; the session's id stands for the run it is in.",
  ),
  since: described(
    z.nullable(z.iso.date()),
    "First local day that counts; null where all of it, or one run, does.",
  ),
  from: described(z.string(), "The convoy whose budget has this limit."),
  period,
  amount: described(amount, "The limit. It, used, reserved, remaining and over are in its unit."),
  unit,
  used: number,
  unpriced: described(tokens, "Tokens without a known price, which a limit in usd or credits lacks."),
  reserved: described(number, "Set aside for calls that may be under way."),
  remaining: number,
  over: described(number, "What is used and set aside beyond the limit."),
  usagePercent: described(
    z.number().check(z.nonnegative()),
    "Used and set aside, of the limit; above 100 when exceeded.",
  ),
  verdict: z.enum(["ok", "warning", "exceeded"]),
});

export type LevelJson = z.infer<typeof levelState>;

export const budgetJson = z
  .strictObject({
    schema: z.literal(3),
    project: described(z.string(), "The folder whose budgets these are."),
    budgets: z.array(
      z.strictObject({
        convoyId: z.string(),
        file: z.string(),
        warnPercent: z.int(),
        createdAt: described(
          z.nullable(z.iso.datetime()),
          "Null where its file is of a version that told none.",
        ),
        updatedAt: z.nullable(z.iso.datetime()),
        levels: z.strictObject({
          session: z.nullable(level),
          agent: z.nullable(level),
          convoy: z.nullable(level),
          project: z.nullable(level),
        }),
        fanOut: described(
          z.nullable(
            z.strictObject({
              atOnce: z.exactOptional(z.int()),
              perPrompt: z.exactOptional(z.int()),
              depth: z.exactOptional(z.int()),
              models: z.exactOptional(z.array(z.string())),
            }),
          ),
          "Limits on subagents: running at once, started by one prompt, nested, and on models. Beyond each the user is asked once in a prompt.",
        ),
        members: described(
          z.strictObject({ branches: z.array(z.string()), sessions: z.array(z.string()) }),
          "Which sessions are of the convoy, beside those on a branch that is called like it.",
        ),
        standings: described(
          z.nullable(z.array(levelState)),
          "How each limit stands; null but for report and create.",
        ),
        leases: described(
          z.nullable(
            z.array(
              z.strictObject({
                id: z.string(),
                agentId: z.string(),
                sessionId: z.string(),
                tokens,
                usd: number,
                credits: number,
                expiresAt: z.iso.datetime(),
              }),
            ),
          ),
          "What is set aside and for whom; null but for report.",
        ),
      }),
    ),
    faults: described(
      z.array(z.strictObject({ reason: z.string(), detail: sentenceSchema })),
      "Budgets that cannot be used, and why: nothing may be spent until that is mended.",
    ),
    strays: described(
      z.array(z.strictObject({ file: z.string(), detail: sentenceSchema })),
      "Files among the budgets that are none, and what to do about them; they limit nothing.",
    ),
  })
  .check(z.meta({ title: "purser budget --json" }));
export type BudgetJson = z.infer<typeof budgetJson>;

const caller = {
  schema: z.literal(1),
  project: described(z.string(), "The folder whose budgets these are."),
  convoyId: described(
    z.nullable(z.string()),
    "Null where the call is of no convoy: then the project's limits hold.",
  ),
  agentId: z.string(),
  sessionId: z.string(),
  place: described(
    z.strictObject({
      from: described(
        z.enum(["option", "session", "cwd"]),
        "What told it: --cwd, the session of --session, which began there, or the current folder.",
      ),
      folder: z.string(),
      branch: described(z.nullable(z.string()), "Branch that determines the convoy if no ID is given."),
      why: described(
        z.nullable(sentenceSchema),
        "Why it is not the place of the session told; null where it is, or none was.",
      ),
    }),
    "Where the call is made, which says the project.",
  ),
};

export const budgetCheckJson = z
  .strictObject({
    ...caller,
    allowed: described(z.boolean(), "Whether the call may be made. The exit code says it too: 0, or 3."),
    reason: z.enum([
      "ok",
      "warning_threshold",
      "agent_budget_exceeded",
      "convoy_budget_exceeded",
      "session_budget_exceeded",
      "project_budget_exceeded",
    ]),
    text: described(sentenceSchema, "The reason and what to do, in words; empty where all is well."),
    remaining: described(
      z.nullable(z.strictObject({ amount: number, unit })),
      "What the deciding level has left after the call; null without limits.",
    ),
    remainingTokens: described(
      z.nullable(tokens),
      "The same of a level in tokens, else null; kept for one version more.",
    ),
    usagePercent: z.nullable(z.number().check(z.nonnegative())),
    level: described(z.nullable(z.enum(levelNames)), "The level that decided."),
    projected: z.strictObject({
      tokens: described(tokens, "What the call is counted with."),
      usd: number,
      credits: number,
      basis: z.enum(["history", "default", "given", "context", "unknown"]),
      source: sentenceSchema,
    }),
    lease: described(
      z.nullable(
        z.strictObject({ id: z.string(), tokens, usd: number, credits: number, expiresAt: z.iso.datetime() }),
      ),
      "What was set aside with --reserve; null where nothing was.",
    ),
    levels: described(
      z.array(levelState),
      "Every limit that holds for the call, the narrowest first; the call counted in.",
    ),
  })
  .check(z.meta({ title: "purser budget check --json" }));
export type BudgetCheckJson = z.infer<typeof budgetCheckJson>;

export const budgetRecordJson = z
  .strictObject({
    ...caller,
    tokens: described(tokens, "Recorded tokens."),
    isNew: described(z.boolean(), "False if the call was already recorded: nothing changed."),
    beyondLease: described(
      z.nullable(tokens),
      "What was used beyond its lease; 0 without one, null when that was over.",
    ),
  })
  .check(z.meta({ title: "purser budget record --json" }));
export type BudgetRecordJson = z.infer<typeof budgetRecordJson>;
