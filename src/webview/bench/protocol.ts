import * as z from "zod";
import {
  benchAsk,
  benchChoices,
  benchId,
  benchPlan,
  jobSummary,
  jobView,
  runPage,
} from "../../engine/service/bench-view.ts";

/**
 * What the Bench panel and its host say to each other. Both check what they hear with these schemas. The host always
 * sends all of a thing, never what changed of it: a hidden panel hears nothing.
 */

const runId = z.string().min(1).max(400);

/** What is looked at. A run may have another beside it, of the same bench or of another one. */
export const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("home") }),
  z.object({ kind: z.literal("bench"), id: benchId }),
  z.object({
    kind: z.literal("run"),
    id: benchId,
    runId,
    beside: z.object({ id: benchId, runId }).nullable(),
  }),
]);
export type Place = z.infer<typeof place>;

/** @param ask null until there is something to choose from */
const ready = z.object({ type: z.literal("ready"), place, ask: benchAsk.nullable() });

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script runs, and this is what it showed when it last did. */
  ready,
  z.object({ type: z.literal("look"), place }),
  /** What would this spend? */
  z.object({ type: z.literal("plan"), ask: benchAsk }),
  z.object({ type: z.literal("start"), ask: benchAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  /** Shows in the editor what a run did to a file: beside what it was, or beside what another run left. */
  z.object({
    type: z.literal("openChange"),
    ...{ id: benchId, runId, path: z.string().min(1).max(4096) },
    /** What the run is called, and the other one. */
    name: z.string().max(100),
    other: z.object({ id: benchId, runId, name: z.string().max(100) }).nullable(),
  }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
  z.object({ type: z.literal("manageTrust") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;
export type ChangeAsked = Extract<PanelMessage, { type: "openChange" }>;

const choicesMessage = z.object({
  type: z.literal("choices"),
  choices: benchChoices,
  /** Whether a suite of the workspace's own was looked for: only in a trusted one. */
  isTrusted: z.boolean(),
});
const planMessage = z.object({
  type: z.literal("plan"),
  ask: benchAsk,
  /** Null where it cannot be planned, and why. */
  plan: benchPlan.nullable(),
  problem: z.string().nullable(),
});
const jobsMessage = z.object({ type: z.literal("jobs"), jobs: z.array(jobSummary) });
/** `view` is null when there is no such bench. */
const benchMessage = z.object({ type: z.literal("bench"), id: benchId, view: jobView.nullable() });
const runMessage = z.object({ type: z.literal("run"), id: benchId, runId, page: runPage.nullable() });

export const asked = z.enum(["choices", "jobs", "bench", "run", "start", "cancel", "resume"]);
export const hostMessage = z.discriminatedUnion("type", [
  choicesMessage,
  planMessage,
  jobsMessage,
  benchMessage,
  runMessage,
  /** Asked for and not got. `message` is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: asked, message: z.string() }),
  /** There is nobody to ask now. The host goes on by itself when there is. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** From elsewhere in the editor, or since it was begun: show this. */
  z.object({ type: z.literal("show"), place }),
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type PlanMessage = z.infer<typeof planMessage>;

/** What the panel remembers while it is hidden and over a reload of the window. */
export const panelState = z.object({ place, ask: benchAsk.nullable(), scroll: z.number() });
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { place: { kind: "home" }, ask: null, scroll: 0 };
