import * as z from "zod";
import { largestLimit, levelNames, periodNames } from "../budget/budget.ts";
import { budgetModes } from "../budget/budget-mode.ts";
import { request, type NoticeKind } from "./protocol.ts";

/** What clients and the service say to each other of budgets. */

const tokens = z.number();

/** How one limit stands for one of those it holds for. Processing tokens. */
const budgetLevel = z.object({
  level: z.enum(levelNames),
  /** The session's, agent's or convoy's id; null is the whole project. */
  who: z.string().nullable(),
  period: z.enum(periodNames),
  /** The first local day that counts; null of a run. */
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
const projectBudgets = z.object({
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
});
export type ProjectBudgets = Readonly<z.infer<typeof projectBudgets>>;

const folders = z.array(z.string().min(1).max(4096)).max(64);
const answer = z.object({ projects: z.array(projectBudgets) });

/** How the budgets of these folders' projects stand now; one answer for each folder. */
export const budgetsRead = request("budgetsRead", { params: z.object({ folders }), answer });

/** The same, and from now on every change is told with `budgetsChanged`. Other folders take the place of these; none ends it. */
export const budgetsFollow = request("budgetsFollow", { params: z.object({ folders }), answer });

/** All followed folders, whole, at most once a second and only when something changed; a slow client gets the latest. */
export const budgetsChanged: NoticeKind<z.infer<typeof answer>> = {
  method: "budgetsChanged",
  params: answer,
};

/** Sets one limit of a budget, which must be there; the period stays, and is a day where there was no limit. */
export const budgetLimit = request("budgetLimit", {
  params: z.object({
    folder: z.string().min(1).max(4096),
    convoyId: z.string().max(64),
    level: z.enum(levelNames),
    limit: z.int().min(1).max(largestLimit),
  }),
  answer,
});
