import * as z from "zod/mini";
import { learnedItem } from "../../engine/continuity/learning-answers.ts";
import { benchChoices, benchId, benchPlan, jobSummary } from "../../engine/jobs/bench-answers.ts";
import { selectAsk } from "../../engine/jobs/compare-answers.ts";
import {
  evidenceView,
  learnedView,
  missingView,
  ruleActionRequest,
  manyRulesAction,
  rulesView,
} from "../../engine/rules/rules-answers.ts";
import { trialHead, trialPlan, trialView } from "../../engine/rules/trial-answers.ts";

/**
 * Messages between the Rules panel and its host. Both sides validate what they receive with these schemas. The
 * host always sends complete objects, never changes.
 */

const id = z.string().check(z.minLength(1), z.maxLength(200));

/**
 * What is shown: a rule, an agent's memory, the measuring of an agent's rules, their trial on real work, or what was learned of a project.
 */
const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("rule"), id }),
  z.object({ kind: z.literal("memory"), agent: id }),
  z.object({ kind: z.literal("selection"), agent: id }),
  z.object({ kind: z.literal("trial"), agent: id }),
  z.object({ kind: z.literal("learned"), project: z.string().check(z.maxLength(4096)) }),
]);
export type Place = z.infer<typeof place>;

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started, and last showed this place. */
  z.object({ type: z.literal("ready"), place: z.nullable(place) }),
  z.object({ type: z.literal("look"), place }),
  z.object({ type: z.literal("act"), id, act: ruleActionRequest }),
  z.object({
    type: z.literal("actOnMany"),
    ids: z.array(id).check(z.minLength(1), z.maxLength(5000)),
    act: manyRulesAction,
  }),
  /** Opens the source of a rule. The rule determines the file, so that the page cannot name another. */
  z.object({ type: z.literal("openSource"), id, line: z.int().check(z.positive()) }),
  /** Shows a receipt as Markdown in an editor. */
  z.object({ type: z.literal("openReceipt"), id }),
  /** Compiles rules into memory. `replaces` is the exact text of a foreign file that may be replaced. */
  z.object({
    type: z.literal("compile"),
    agent: id,
    replaces: z.nullable(z.string().check(z.maxLength(1_100_000))),
  }),
  z.object({ type: z.literal("undoMemory"), agent: id, version: id }),
  /** Inserts the line that lets its memory reach an agent into the agent's definition. */
  z.object({ type: z.literal("addMemory"), agent: id }),
  /** Asks for the file of this project that rules of the main conversation go into. */
  z.object({ type: z.literal("chooseMainFile") }),
  z.object({ type: z.literal("add") }),
  /** Requests a plan with its price. */
  z.object({ type: z.literal("plan"), ask: selectAsk }),
  z.object({ type: z.literal("start"), ask: selectAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  /** Requests what a trial would give to which sessions. */
  z.object({ type: z.literal("planTrial"), agent: id, isEverywhere: z.boolean() }),
  /** Approves a trial of exactly the rules that were shown. */
  z.object({
    type: z.literal("startTrial"),
    agent: id,
    isEverywhere: z.boolean(),
    ruleIds: z.array(id).check(z.maxLength(100)),
    /** Whether a rule that is found to be harmful is evicted without asking. */
    switchesOff: z.boolean(),
  }),
  z.object({ type: z.literal("stopTrial"), id }),
  /** Shows another trial of an agent. */
  z.object({ type: z.literal("chooseTrial"), agent: id, id }),
  /** Lets a rule that its trial shows to save into its agent's memory. */
  z.object({ type: z.literal("letInByTrial"), id }),
  /** The user's decision about a learned item. */
  z.object({
    type: z.literal("markLearned"),
    id,
    state: learnedItem.shape.state,
    text: z.nullable(z.string().check(z.minLength(1), z.maxLength(400))),
  }),
  /** Makes a rule of something that was learned, in the way in which rules are added. */
  z.object({ type: z.literal("promoteLearned"), id }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const offerMessage = z.object({
  type: z.literal("offer"),
  agent: id,
  /** Null when no suite has tasks for this agent. The workspace's own suite takes precedence over purser's. */
  suite: z.nullable(selectAsk.shape.suite),
  drivers: benchChoices.shape.drivers,
  driver: benchChoices.shape.driver,
});
export type OfferMessage = z.infer<typeof offerMessage>;

const planMessage = z.object({
  type: z.literal("plan"),
  ask: selectAsk,
  /** A plan of all possible rounds. Null if it cannot be planned; the problem gives the reason. */
  plan: z.nullable(benchPlan),
  problem: z.nullable(z.string()),
});
export type PlanMessage = z.infer<typeof planMessage>;

const trialMessage = z.object({
  type: z.literal("trial"),
  agent: id,
  /** The one that was chosen, else the agent's running one, else its last; null if it never had one. */
  trial: z.nullable(trialView),
});
export type TrialMessage = z.infer<typeof trialMessage>;

const trialPlanMessage = z.object({
  type: z.literal("trialPlan"),
  agent: id,
  /** The window's folder, from which sessions can be chosen; null if there is none. */
  folder: z.nullable(z.string()),
  isEverywhere: z.boolean(),
  /** Null if no trial can begin; the problem gives the reason. */
  plan: z.nullable(trialPlan),
  problem: z.nullable(z.string()),
});
export type TrialPlanMessage = z.infer<typeof trialPlanMessage>;

export const hostMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("rules"), view: rulesView }),
  /** Agents that do not read their compiled rules, with the reasons. */
  z.object({
    type: z.literal("unreached"),
    agents: z.array(z.extend(missingView, { agent: id })),
  }),
  /** The evidence of a rule's newest receipt; null if the rule was never measured. */
  z.object({
    type: z.literal("evidence"),
    id,
    evidence: z.nullable(evidenceView),
  }),
  /** Tokens that an agent's real work used with each version of its memory. */
  z.object({ type: z.literal("learning"), agent: id, learned: z.array(learnedView) }),
  /** Selections, newest first. */
  z.object({ type: z.literal("jobs"), jobs: z.array(jobSummary) }),
  /** What can measure an agent's rules. */
  offerMessage,
  planMessage,
  /** All trials, newest first. */
  z.object({ type: z.literal("trials"), trials: z.array(trialHead) }),
  trialMessage,
  trialPlanMessage,
  /** What was learned from past sessions, without forgotten items. */
  z.object({ type: z.literal("learned"), items: z.array(learnedItem) }),
  /** A request is completed. `follow` is the rule to show now, because an edit creates another rule. */
  z.object({ type: z.literal("done"), message: z.string(), follow: z.nullable(id) }),
  /** An action on several rules is completed, in a sentence. `ids` are those that were changed. */
  z.object({ type: z.literal("manyDone"), message: z.string(), ids: z.array(id) }),
  z.object({ type: z.literal("error"), message: z.string() }),
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** Shows a place, because of a command. */
  z.object({ type: z.literal("show"), place }),
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type LearningMessage = Extract<HostMessage, { type: "learning" }>;
export type UnreachedMessage = Extract<HostMessage, { type: "unreached" }>;
export type EvidenceMessage = Extract<HostMessage, { type: "evidence" }>;

/** Which rules the list shows: those of one agent, with these words. */
const filter = z.object({ agent: z.nullable(id), text: z.string().check(z.maxLength(200)) });
export type Filter = z.infer<typeof filter>;
export const noFilter: Filter = { agent: null, text: "" };

/** The list's tabs: rules to decide about or to measure, rules in agents' memories, and paused or removed ones. */
export const tabs = ["waiting", "memory", "archive"] as const;
const tab = z.enum(tabs);
export type Tab = z.infer<typeof tab>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({
  /** What is shown. */
  place: z.nullable(place),
  /** Null until rules are known: the first tab with a rule is then chosen. */
  tab: z._default(z.nullable(tab), null),
  /** The rule chosen last in each tab. */
  chosen: z._default(z.partialRecord(tab, id), {}),
  /** A narrow page shows the chosen entry instead of the list. */
  isOpen: z._default(z.boolean(), false),
  filter: z._default(filter, noFilter),
});
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = {
  place: null,
  tab: null,
  chosen: {},
  isOpen: false,
  filter: noFilter,
};
