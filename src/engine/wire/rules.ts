import * as z from "zod";
import { ruleSource } from "../rules/rule.ts";
import {
  distilled,
  evidenceView,
  memoryView,
  proposed,
  reportView,
  ruleAct,
  rulesView,
  ruleView,
} from "../rules/answers.ts";
import { notice, request } from "../rpc/request.ts";
import { evidenceShape, id } from "../rules/book/evidence-shape.ts";

/** What clients and the service say to each other of rules. Everything that changes one goes through the service. */

const agent = z.string().min(1).max(200);
const text = z.string().max(1000);
/** Claude Code's configuration folder, as the client's environment and settings have it. */
const root = z.string().min(1).max(4096);

/** Of the service's changes to rules and memories, the last one that is known: they are counted from its beginning. */
const revision = z.int().nonnegative();
/** Rules as they are with that change. */
const asOf = { view: rulesView, revision };

const rulesRead = request("rulesRead", {
  params: z.object({ root }),
  answer: z.object(asOf),
});

/** Proposes rules: each becomes a candidate, or is refused with its reason. */
const rulesPropose = request("rulesPropose", {
  params: z.object({
    agent,
    /** `model`: the user had their own agent asked. */
    origin: z.enum(["hand", "import", "model"]),
    rules: z
      .array(z.object({ text, source: ruleSource.nullable() }))
      .min(1)
      .max(2000),
  }),
  answer: z.object({ proposed: z.array(proposed) }),
});

/**
 * Answers all rules as they are then, and the rule's id: an edited one is another. `why` is what happened, in words; `memory` says why its
 * agent's memory was not written, or null.
 */
const rulesAct = request("rulesAct", {
  params: z.object({ id, act: ruleAct, root }),
  answer: z.object({ id, why: z.string(), memory: z.string().nullable(), ...asOf }),
});

/** A rule was measured: its receipt, sealed, and what it rests on. The service draws the conclusion. */
const rulesMeasured = request("rulesMeasured", {
  params: z.object({
    ruleId: id,
    receipt: z.string().max(1_000_000),
    evidence: evidenceShape,
    /** What passed goes into its agent's memory without asking. */
    isActivated: z.boolean(),
    root,
  }),
  answer: z.object({ rule: ruleView, memory: z.string().nullable() }),
});

/** What was measured before of an agent's rules. */
const rulesEvidence = request("rulesEvidence", {
  params: z.object({ agent }),
  answer: z.object({ evidence: z.array(evidenceShape) }),
});

/** What the newest receipt of a rule rests on, to be looked at; null where it was never measured. */
const rulesEvidenceOf = request("rulesEvidenceOf", {
  params: z.object({ id }),
  answer: z.object({ evidence: evidenceView.nullable() }),
});

const rulesReceipt = request("rulesReceipt", {
  params: z.object({ id }),
  answer: z.object({ json: z.string().nullable() }),
});

/** Writes an agent's memory as its active rules are. @param replaces the very text of a file that is not purser's, and may go */
const memoryCompile = request("memoryCompile", {
  params: z.object({ agent, root, replaces: z.string().max(1_100_000).nullable() }),
  answer: z.object({ memory: memoryView }),
});

/** Writes an agent's memory as an earlier version was; rules stay as they are. */
const memoryUndo = request("memoryUndo", {
  params: z.object({ agent, root, version: id, replaces: z.string().max(1_100_000).nullable() }),
  answer: z.object({ memory: memoryView }),
});

/** Looks at a costly run; without a session, at the last one. */
const rulesDistil = request("rulesDistil", {
  params: z.object({ sessionId: z.string().max(200).nullable(), isPreview: z.boolean() }),
  answer: distilled,
});

const rulesReport = request("rulesReport", {
  /** @param project only what was done in this folder; null for all */
  params: z.object({ project: z.string().max(4096).nullable().default(null) }),
  answer: z.object({ report: reportView }),
});

/** How many rules wait, which whoever asks tells the user; 0 where none do, or where the user was told today. */
const rulesNudge = request("rulesNudge", {
  params: z.object({}),
  answer: z.object({ waiting: z.int().nonnegative() }),
});

/** A rule or a memory changed; so many candidates wait. Whoever knows the revision knows it all. At most once a second. */
const rulesChanged = notice("rulesChanged", z.object({ waiting: z.int().nonnegative(), revision }));

export const rulesRequests = {
  rulesRead,
  rulesPropose,
  rulesAct,
  rulesMeasured,
  rulesEvidence,
  rulesEvidenceOf,
  rulesReceipt,
  memoryCompile,
  memoryUndo,
  rulesDistil,
  rulesReport,
  rulesNudge,
};
export const rulesNotices = { rulesChanged };
