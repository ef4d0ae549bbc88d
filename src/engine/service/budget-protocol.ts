import * as z from "zod";
import { largestLimit, largestMembers, levelNames, periodNames } from "../budget/budget.ts";
import { budgetModes } from "../budget/budget-mode.ts";
import { notice, request } from "./protocol.ts";

/** What clients and the service say to each other of budgets. */

const tokens = z.number();

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
  /** Files among the budgets that are none, and what to do about them. They limit nothing. */
  strays: z.array(z.object({ file: z.string(), detail: z.string() })),
  /** Agents that used tokens here and have no hooks of purser's: what they use is counted, and nobody stops them. */
  notHeld: z.array(z.string()),
});
export type ProjectBudgets = Readonly<z.infer<typeof projectBudgets>>;

const folders = z.array(z.string().min(1).max(4096)).max(64);
const answer = z.object({ projects: z.array(projectBudgets) });

/** How the budgets of these folders' projects stand now; one answer for each folder. */
const budgetsRead = request("budgetsRead", { params: z.object({ folders }), answer });

/** The same, and from now on every change is told with `budgetsChanged`. Other folders take the place of these; none ends it. */
const budgetsFollow = request("budgetsFollow", { params: z.object({ folders }), answer });

/** All followed folders, whole, at most once a second and only when something changed; a slow client gets the latest. */
const budgetsChanged = notice("budgetsChanged", answer);

const proposal = z.object({
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

/** Limits that a new budget may have, for each level and period, with what was used up to now. */
const budgetProposals = request("budgetProposals", {
  params: z.object({
    folder: z.string().min(1).max(4096),
    convoyId: z.string().max(64),
    /** The branches it would be of, beside one that is called like it. */
    branches: z.array(z.string().max(200)).max(largestMembers.branches),
    lines: z.int().min(1).max(1_000_000).nullable(),
  }),
  answer: z.object({ proposals: z.array(proposal) }),
});

/** Resolves when the folder's budgets have been told all that the ledger has of it: whoever reads the files then, reads that. */
const budgetsReckon = request("budgetsReckon", {
  params: z.object({ folder: z.string().min(1).max(4096) }),
  answer: z.object({}),
});

/** Processing tokens of an agent's last completed runs, the newest first: what projections are made of. */
const budgetHistory = request("budgetHistory", {
  params: z.object({ agentId: z.string().min(1).max(200), model: z.string().min(1).max(200).nullable() }),
  answer: z.object({ tokens: z.array(tokens) }),
});

/**
 * Agents begin together on a branch, or, where it is null, outside of a repository. Says whether to offer a budget: where no limit holds
 * them, and to whoever asks first.
 */
const budgetOffer = request("budgetOffer", {
  params: z.object({
    folder: z.string().min(1).max(4096),
    branch: z.string().max(1000).nullable(),
    sessionIds: z.array(z.string().max(200)).min(1).max(256),
  }),
  answer: z.object({ isFirst: z.boolean() }),
});

/** Sets one limit of a budget, which must be there; the period stays, and is the usual one where there was no limit. */
const budgetLimit = request("budgetLimit", {
  params: z.object({
    folder: z.string().min(1).max(4096),
    convoyId: z.string().max(64),
    level: z.enum(levelNames),
    limit: z.int().min(1).max(largestLimit),
  }),
  answer,
});

export const budgetRequests = {
  budgetsRead,
  budgetsFollow,
  budgetProposals,
  budgetsReckon,
  budgetHistory,
  budgetOffer,
  budgetLimit,
};
export const budgetNotices = { budgetsChanged };
