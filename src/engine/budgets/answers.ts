import * as z from "zod";
import { levelNames, periodNames } from "./budget.ts";
import { budgetModes } from "../settings/budget-mode.ts";

/** What clients and the service say to each other of budgets. */

export const tokens = z.number();

/** How one limit stands for one of those it holds for. Processing tokens. */
const budgetLevel = z.object({
  level: z.enum(levelNames),
  /** The session's, agent's or convoy's id; null is the whole project, or nobody yet. */
  who: z.string().nullable(),
  /** Of a session's or an agent's limit, and of a limit for a run. */
  sessionId: z.string().nullable(),
  /** Of an agent's limit: the subagent's type, where it is known. */
  agentType: z.string().nullable(),
  period: z.enum(periodNames),
  /** The first local day that counts; null where all of it, or one run, does. */
  since: z.string().nullable(),
  limit: tokens,
  used: tokens,
  /** Set aside for work that may be under way. */
  reserved: tokens,
  /** Used and set aside, of the limit; above 100 when it is passed. */
  percent: z.number(),
  state: z.enum(["ok", "warning", "exceeded"]),
});
export type BudgetLevel = Readonly<z.infer<typeof budgetLevel>>;

const convoyBudget = z.object({
  convoyId: z.string(),
  /** Its absolute path. */
  file: z.string(),
  warnPercent: z.number(),
  levels: z.array(budgetLevel),
});
export type ConvoyBudget = Readonly<z.infer<typeof convoyBudget>>;

/** The budgets of the project that a folder is in. */
export const projectBudgets = z.object({
  /** As it was asked for. */
  folder: z.string(),
  /** The folder whose `.purser` has the budgets: a linked worktree's are the main one's. */
  project: z.string(),
  /** What is done when a limit is passed: the user's choice. */
  mode: z.enum(budgetModes),
  convoys: z.array(convoyBudget),
  /** What cannot be read, and what to do about it. While there is one, how limits stand is not known: no convoy has levels. */
  faults: z.array(
    z.object({
      reason: z.string(),
      detail: z.string(),
      /** The damaged file's absolute path; null where it is the folder, or what was spent. */
      file: z.string().nullable(),
    }),
  ),
  /** Files among the budgets that are none, and what to do about them. They limit nothing. */
  strays: z.array(z.object({ file: z.string(), detail: z.string() })),
  /** Agents that used tokens here and have no hooks of purser's: what they use is counted, and nobody stops them. */
  notHeld: z.array(z.string()),
});
export type ProjectBudgets = Readonly<z.infer<typeof projectBudgets>>;

export const proposal = z.object({
  level: z.enum(levelNames),
  period: z.enum(periodNames),
  limit: tokens,
  basis: z.enum(["history", "default"]),
  /** Why this much. */
  source: z.string(),
  /** What such a limit would have counted by now; null of one for each agent, session or run. */
  used: tokens.nullable(),
});
export type BudgetProposal = Readonly<z.infer<typeof proposal>>;
