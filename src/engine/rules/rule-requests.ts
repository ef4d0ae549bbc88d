import * as z from "zod/mini";
import { sentenceSchema } from "../base/sentence-schema.ts";
import { ruleSource } from "./rule.ts";
import {
  distilled,
  evidenceView,
  manyRulesAction,
  manyRulesDone,
  memoryView,
  proposed,
  reportView,
  ruleActionRequest,
  rulesView,
  ruleView,
} from "./rules-answers.ts";
import { notice, request } from "../protocol/serve.ts";
import { evidenceShape, id } from "./book/evidence-shape.ts";
import { mainFiles } from "./main-files.ts";
import { maxHoldOut, minHoldOut } from "./trial/pace.ts";
import { trialHead, trialPlan, trialView } from "./trial-answers.ts";

/** Requests and notices about rules. Every change to a rule goes through the service. */

const agent = z.string().check(z.minLength(1), z.maxLength(200));
const text = z.string().check(z.maxLength(1000));
/** Claude Code's configuration folder, from the client's environment and settings. */
const root = z.string().check(z.minLength(1), z.maxLength(4096));

/** The project whose file is meant, for the main conversation. */
const project = z.optional(z.nullable(z.string().check(z.maxLength(4096))));

/** Number of changes to rules and memories since the service started that the answer includes. */
const revision = z.int().check(z.nonnegative());
const asOf = { view: rulesView, revision };

const rulesRead = request("rulesRead", {
  params: z.object({ root }),
  answer: z.object(asOf),
});

/** Proposes rules: each becomes a candidate, or is refused with the reason. */
const rulesPropose = request("rulesPropose", {
  params: z.object({
    agent,
    /** `model`: the user's own agent proposed it. */
    origin: z.enum(["hand", "import", "model"]),
    rules: z
      .array(z.object({ text, source: z.nullable(ruleSource) }))
      .check(z.minLength(1), z.maxLength(2000)),
  }),
  answer: z.object({ proposed: z.array(proposed) }),
});

/**
 * Applies an action to a rule. Answers all rules after it, and the rule's id, which is new after an edit.
 * `why` describes the result. `memory` gives the reason why its agent's memory was not written, or null.
 */
const rulesAct = request("rulesAct", {
  params: z.object({ id, act: ruleActionRequest, root }),
  answer: z.object({ id, why: sentenceSchema, memory: z.nullable(sentenceSchema), ...asOf }),
});

/** Applies an action to several rules, in one step. Answers all rules after it. */
const rulesActOnMany = request("rulesActOnMany", {
  params: z.object({ ids: z.array(id).check(z.minLength(1), z.maxLength(5000)), act: manyRulesAction, root }),
  answer: z.extend(manyRulesDone, asOf),
});

/** Reports a measurement of a rule: its sealed receipt and the evidence behind it. The service decides what follows. */
const rulesMeasured = request("rulesMeasured", {
  params: z.object({
    ruleId: id,
    receipt: z.string().check(z.maxLength(1_000_000)),
    evidence: evidenceShape,
    /** Whether a rule that passes goes into its agent's memory without asking. */
    isActivated: z.boolean(),
    /**
     * Whether it shared its runs. The set found with it is then confirmed first; until then only a person can
     * admit it.
     */
    isHeld: z.optional(z.boolean()),
    root,
  }),
  answer: z.object({ rule: ruleView, memory: z.nullable(sentenceSchema) }),
});

/**
 * Reports that a selection's whole set is measured: the sealed receipt, and the evidence behind it. The
 * service decides the consequences. `memory` gives the reason why the agent's memory was not written, or
 * null.
 */
const rulesConfirmed = request("rulesConfirmed", {
  params: z.object({
    receipt: z.string().check(z.maxLength(1_000_000)),
    evidence: evidenceShape,
    /** Whether rules of a confirmed set go into their agent's memory without asking. */
    isActivated: z.boolean(),
    root,
  }),
  answer: z.object({ rules: z.array(ruleView), memory: z.nullable(sentenceSchema) }),
});

/** Reports that a rule was found alone. It has no set, so its own receipt is enough. */
const rulesFoundAlone = request("rulesFoundAlone", {
  params: z.object({ ruleId: id, isActivated: z.boolean(), root }),
  answer: z.object({ rule: z.nullable(ruleView), memory: z.nullable(sentenceSchema) }),
});

const rulesEvidence = request("rulesEvidence", {
  params: z.object({ agent }),
  answer: z.object({ evidence: z.array(evidenceShape) }),
});

/** The evidence behind a rule's newest receipt, for display; null if it was never measured. */
const rulesEvidenceOf = request("rulesEvidenceOf", {
  params: z.object({ id }),
  answer: z.object({ evidence: z.nullable(evidenceView) }),
});

const rulesReceipt = request("rulesReceipt", {
  params: z.object({ id }),
  answer: z.object({ json: z.nullable(z.string()) }),
});

/**
 * Writes an agent's memory from its active rules.
 * @param replaces exact text of a foreign file that may be overwritten
 */
const memoryCompile = request("memoryCompile", {
  params: z.object({ agent, root, project, replaces: z.nullable(z.string().check(z.maxLength(1_100_000))) }),
  answer: z.object({ memory: memoryView }),
});

/** Restores an earlier version of an agent's memory; rules stay as they are. */
const memoryUndo = request("memoryUndo", {
  params: z.object({
    agent,
    root,
    project,
    version: id,
    replaces: z.nullable(z.string().check(z.maxLength(1_100_000))),
  }),
  answer: z.object({ memory: memoryView }),
});

/** Chooses the file of a project that rules of the main conversation go into; null for none. Answers all rules after it. */
const rulesMainFile = request("rulesMainFile", {
  params: z.object({
    project: z.string().check(z.minLength(1), z.maxLength(4096)),
    name: z.nullable(z.enum(mainFiles)),
    root,
  }),
  answer: z.object(asOf),
});

/** Analyzes a costly run: the last one, or one of a session. */
const rulesDistil = request("rulesDistil", {
  params: z.object({ sessionId: z.nullable(z.string().check(z.maxLength(200))), isPreview: z.boolean() }),
  answer: distilled,
});

const rulesReport = request("rulesReport", {
  /** @param project restricts runs to this folder; null for all */
  params: z.object({ project: z._default(z.nullable(z.string().check(z.maxLength(4096))), null) }),
  answer: z.object({ report: reportView }),
});

/**
 * Claims today's notification. Answers the number of waiting rules, which the client must now show to the
 * user. 0 if none wait, or if the user was already notified.
 */
const rulesNudge = request("rulesNudge", {
  params: z.object({}),
  answer: z.object({ waiting: z.int().check(z.nonnegative()) }),
});

/**
 * A rule or a memory changed; `waiting` rules wait for the user. A client with this revision is up to date.
 * At most once a second.
 */
const rulesChanged = notice("rulesChanged", z.object({ waiting: z.int().check(z.nonnegative()), revision }));

export const rulesRequests = {
  rulesRead,
  rulesPropose,
  rulesAct,
  rulesActOnMany,
  rulesMeasured,
  rulesConfirmed,
  rulesFoundAlone,
  rulesEvidence,
  rulesEvidenceOf,
  rulesReceipt,
  memoryCompile,
  memoryUndo,
  rulesMainFile,
  rulesDistil,
  rulesReport,
  rulesNudge,
};
export const rulesNotices = { rulesChanged };

/** Newest first. */
const trialList = request("trialList", {
  params: z.object({}),
  answer: z.object({ trials: z.array(trialHead) }),
});

/**
 * Sessions and figures of a trial. `id` is null for the newest; `isWhole` requests all sessions, not only the
 * newest.
 */
const trialStatus = request("trialStatus", {
  params: z.object({ id: z.nullable(id), isWhole: z._default(z.boolean(), false) }),
  answer: z.object({ trial: trialView }),
});

/** Plans a trial. It starts only if its owner approves it. */
const trialStart = request("trialStart", {
  params: z.object({
    agent: z.string().check(z.minLength(1), z.maxLength(200)),
    project: z.nullable(z.string().check(z.minLength(1), z.maxLength(4096))),
    /** Ids, or beginnings of them; null for all that are approved. */
    ruleIds: z.nullable(z.array(id).check(z.maxLength(1000))),
    /** Families of guards that are tried instead of rules, in the sessions of all agents. */
    guards: z.optional(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20))),
    planned: z.int().check(z.minimum(20), z.maximum(1000)),
    isApproved: z.boolean(),
    /** Of a trial of rules: share of sessions that go on without a rule that saves. */
    holdOut: z.optional(z.number().check(z.minimum(minHoldOut), z.maximum(maxHoldOut))),
    /** Whether a rule that is found to be harmful is evicted without asking. */
    switchesOff: z.optional(z.boolean()),
  }),
  answer: z.object({ plan: trialPlan, trial: z.nullable(trialHead) }),
});

const trialStop = request("trialStop", {
  params: z.object({ id }),
  answer: z.object({ trial: trialHead }),
});

/**
 * Admits a rule to its agent's memory by its newest trial, alone or together with its benchmark. `why`
 * describes the result. `memory` gives the reason why its agent's memory was not written, or null.
 */
const trialLetIn = request("trialLetIn", {
  params: z.object({ ruleId: id, root: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  answer: z.object({ id, why: sentenceSchema, memory: z.nullable(sentenceSchema) }),
});

export const trialRequests = { trialList, trialStatus, trialStart, trialStop, trialLetIn };
