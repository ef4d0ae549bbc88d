import * as z from "zod/mini";
import { amountShape, maxMembers, levelNames } from "./budget.ts";
import { notice, request } from "../protocol/serve.ts";
import { tokens, projectBudgets, proposal } from "./budgets-answers.ts";

const folders = z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.maxLength(64));
const answer = z.object({ projects: z.array(projectBudgets) });

/** Current status of the budgets of these folders' projects, one entry per folder. */
const budgetsRead = request("budgetsRead", { params: z.object({ folders }), answer });

/**
 * Same as `budgetsRead`, with `budgetsChanged` for every change from now on. A later call replaces the
 * folders; an empty list stops it.
 */
const budgetsFollow = request("budgetsFollow", { params: z.object({ folders }), answer });

/** Complete status of all followed folders, at most once a second and only after a change; a slow client gets the latest. */
const budgetsChanged = notice("budgetsChanged", answer);

/** Proposed limits of a new budget, for each level and period, with the use up to now. */
const budgetProposals = request("budgetProposals", {
  params: z.object({
    folder: z.string().check(z.minLength(1), z.maxLength(4096)),
    convoyId: z.string().check(z.maxLength(64)),
    /** Branches of the new budget, in addition to one of the same name. */
    branches: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(maxMembers.branches)),
    lines: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  }),
  answer: z.object({ proposals: z.array(proposal) }),
});

/** Resolves when the folder's budgets include everything that the ledger has for them, so that their files can be read. */
const budgetsReckon = request("budgetsReckon", {
  params: z.object({ folder: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  answer: z.object({}),
});

/** Processing tokens of an agent's last completed runs, newest first: the basis of projections. */
const budgetHistory = request("budgetHistory", {
  params: z.object({
    agentId: z.string().check(z.minLength(1), z.maxLength(200)),
    model: z.nullable(z.string().check(z.minLength(1), z.maxLength(200))),
  }),
  answer: z.object({ tokens: z.array(tokens) }),
});

const ofLimit = {
  folder: z.string().check(z.minLength(1), z.maxLength(4096)),
  convoyId: z.string().check(z.maxLength(64)),
  level: z.enum(levelNames),
};

const budgetLimit = request("budgetLimit", {
  params: z.discriminatedUnion("unit", [
    z.object({ ...ofLimit, ...amountShape.tokens }),
    z.object({ ...ofLimit, ...amountShape.usd }),
    z.object({ ...ofLimit, ...amountShape.credits }),
  ]),
  answer,
});

export const budgetRequests = {
  budgetsRead,
  budgetsFollow,
  budgetProposals,
  budgetsReckon,
  budgetHistory,
  budgetLimit,
};
export const budgetNotices = { budgetsChanged };
