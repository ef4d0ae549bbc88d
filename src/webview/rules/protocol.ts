import * as z from "zod";
import { benchChoices, benchId, benchPlan, jobSummary } from "../../engine/service/bench-view.ts";
import { selectAsk } from "../../engine/service/select-view.ts";
import {
  evidenceView,
  learnedView,
  missingView,
  ruleAct,
  rulesView,
} from "../../engine/service/rules-view.ts";

/**
 * What the Rule Review panel and its host say to each other. Both check what they hear with these schemas. The host always
 * sends all of a thing, never what changed of it.
 */

const id = z.string().min(1).max(200);

/** What is looked at at the right: a rule, an agent's memory, or how its rules are measured. */
const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rule"), id }),
  z.object({ kind: z.literal("memory"), agent: id }),
  z.object({ kind: z.literal("selection"), agent: id }),
]);
export type Place = z.infer<typeof place>;

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script runs, and this is what it showed when it last did. */
  z.object({ type: z.literal("ready"), place: place.nullable() }),
  z.object({ type: z.literal("look"), place }),
  z.object({ type: z.literal("act"), id, act: ruleAct }),
  /** Opens what a rule came from: its source alone says which file, so that the page cannot name another. */
  z.object({ type: z.literal("openSource"), id, line: z.int().positive() }),
  /** Shows a receipt as Markdown in an editor. */
  z.object({ type: z.literal("openReceipt"), id }),
  /** @param replaces the very text of a file that is not purser's, and may go */
  z.object({ type: z.literal("compile"), agent: id, replaces: z.string().max(1_100_000).nullable() }),
  z.object({ type: z.literal("undoMemory"), agent: id, version: id }),
  /** Opens an agent's definition with the line in it that lets its memory reach it; the user saves it. */
  z.object({ type: z.literal("addMemory"), agent: id }),
  z.object({ type: z.literal("add") }),
  /** What would this spend? */
  z.object({ type: z.literal("plan"), ask: selectAsk }),
  z.object({ type: z.literal("start"), ask: selectAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const offerMessage = z.object({
  type: z.literal("offer"),
  agent: id,
  /** Null where no suite has tasks of this agent. The workspace's own goes before the one that comes with purser. */
  suite: selectAsk.shape.suite.nullable(),
  drivers: benchChoices.shape.drivers,
  driver: benchChoices.shape.driver,
});
export type OfferMessage = z.infer<typeof offerMessage>;

const planMessage = z.object({
  type: z.literal("plan"),
  ask: selectAsk,
  /** Of all rounds there may be; null where it cannot be planned, and why. */
  plan: benchPlan.nullable(),
  problem: z.string().nullable(),
});
export type PlanMessage = z.infer<typeof planMessage>;

export const hostMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("rules"), view: rulesView }),
  /** Agents with rules that do not read what those are compiled into, and why. */
  z.object({
    type: z.literal("unreached"),
    agents: z.array(missingView.extend({ agent: id })),
  }),
  /** What the newest receipt of a rule rests on; null where it was never measured. */
  z.object({
    type: z.literal("evidence"),
    id,
    evidence: evidenceView.nullable(),
  }),
  /** What an agent's real work took, version after version of its memory. */
  z.object({ type: z.literal("learning"), agent: id, learned: z.array(learnedView) }),
  /** Selections, the newest first. */
  z.object({ type: z.literal("jobs"), jobs: z.array(jobSummary) }),
  /** What an agent's rules can be measured with. */
  offerMessage,
  planMessage,
  /** What was asked for is done. @param follow a rule to look at now: an edited one is another */
  z.object({ type: z.literal("done"), message: z.string(), follow: id.nullable() }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** From elsewhere in the editor: show this. */
  z.object({ type: z.literal("show"), place }),
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type LearningMessage = Extract<HostMessage, { type: "learning" }>;
export type UnreachedMessage = Extract<HostMessage, { type: "unreached" }>;
export type EvidenceMessage = Extract<HostMessage, { type: "evidence" }>;

/** What the panel remembers while it is hidden and over a reload of the window. */
export const panelState = z.object({
  /** What is chosen in the list. */
  place: place.nullable(),
  /** Where there is no room for both, it is shown in place of the list. */
  isOpen: z.boolean().default(false),
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { place: null, isOpen: false };
