import { sentenceSchema } from "../base/sentence-schema.ts";
import * as z from "zod/mini";
import { unitNames } from "./amounts.ts";
import { levelNames, periodNames } from "./budget.ts";
import { budgetModes } from "../settings/guard.ts";

/** Answers about budgets that the service sends to its clients. */

export const tokens = z.number();

/** State of one limit for one of its subjects, in the limit's unit. */
const budgetLevel = z.object({
  level: z.enum(levelNames),
  /** The session's, agent's or convoy's id; null is the whole project, or no subject yet. */
  who: z.nullable(z.string()),
  /** Set for a session's or an agent's limit, and for a limit on a run. */
  sessionId: z.nullable(z.string()),
  /** Set for an agent's limit: the subagent's type, if known. */
  agentType: z.nullable(z.string()),
  period: z.enum(periodNames),
  /** The first local day that counts; null if all usage, or one run, counts. */
  since: z.nullable(z.string()),
  amount: z.number(),
  unit: z.enum(unitNames),
  used: z.number(),
  /** Tokens without a known price, which a limit in dollars or credits lacks. */
  unpriced: tokens,
  /** Reserved for work that may be under way. */
  reserved: z.number(),
  /** Used and reserved as a share of the limit; above 100 when it is exceeded. */
  percent: z.number(),
  state: z.enum(["ok", "warning", "exceeded"]),
});
export type BudgetLevel = Readonly<z.infer<typeof budgetLevel>>;

const convoyBudget = z.object({
  convoyId: z.string(),
  file: z.string(),
  warnPercent: z.number(),
  levels: z.array(budgetLevel),
});
export type ConvoyBudget = Readonly<z.infer<typeof convoyBudget>>;

/** The budgets of the project that contains a folder. */
export const projectBudgets = z.object({
  folder: z.string(),
  /** The folder whose `.purser` has the budgets; for a linked worktree, the main worktree. */
  project: z.string(),
  /** The user's choice of action when a limit is exceeded. */
  mode: z.enum(budgetModes),
  convoys: z.array(convoyBudget),
  /**
   * Unreadable files, and how to repair them. While there is a fault, the state of limits is unknown: no convoy has
   * levels.
   */
  faults: z.array(
    z.object({
      reason: z.string(),
      detail: sentenceSchema,
      /** The damaged file's absolute path; null if the fault is in the folder or in the spending file. */
      file: z.nullable(z.string()),
    }),
  ),
  /** Files in the budgets' folder that are not budgets, and what to do about them. They limit nothing. */
  strays: z.array(z.object({ file: z.string(), detail: sentenceSchema })),
  /** Agents that used tokens here without purser's hooks: their usage is counted, but nothing stops them. */
  notHeld: z.array(z.string()),
});
export type ProjectBudgets = Readonly<z.infer<typeof projectBudgets>>;

export const proposal = z.object({
  level: z.enum(levelNames),
  period: z.enum(periodNames),
  limit: tokens,
  basis: z.enum(["history", "default"]),
  source: sentenceSchema,
  /** Usage that such a limit would have counted by now. Null for a limit on each agent, session or run. */
  used: z.nullable(tokens),
});
export type BudgetProposal = Readonly<z.infer<typeof proposal>>;
