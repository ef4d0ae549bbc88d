import * as z from "zod";
import { largestLimit, largestMembers, levelNames } from "../budgets/budget.ts";
import { notice, request } from "../rpc/request.ts";
import { tokens, projectBudgets, proposal } from "../budgets/answers.ts";

const folders = z.array(z.string().min(1).max(4096)).max(64);
const answer = z.object({ projects: z.array(projectBudgets) });

/** How the budgets of these folders' projects stand now; one answer for each folder. */
const budgetsRead = request("budgetsRead", { params: z.object({ folders }), answer });

/** The same, and from now on every change is told with `budgetsChanged`. Other folders take the place of these; none ends it. */
const budgetsFollow = request("budgetsFollow", { params: z.object({ folders }), answer });

/** All followed folders, whole, at most once a second and only when something changed; a slow client gets the latest. */
const budgetsChanged = notice("budgetsChanged", answer);

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
