import * as z from "zod";
import { benchId, benchPlan, jobSummary, jobView } from "../../engine/service/bench-view.ts";
import { compareAsk } from "../../engine/service/compare-view.ts";

/**
 * What the Compare panel and its host say to each other. Both check what they hear with these schemas. The host always
 * sends all of a thing, never what changed of it: a hidden panel hears nothing.
 */

const runId = z.string().min(1).max(400);

/** What is looked at. A plan is of what is asked, which the panel keeps beside. */
const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("home") }),
  z.object({ kind: z.literal("plan") }),
  z.object({ kind: z.literal("comparison"), id: benchId }),
]);
export type Place = z.infer<typeof place>;

const exportFormats = ["markdown", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script runs, and this is what it showed when it last did. */
  z.object({ type: z.literal("ready"), place, ask: compareAsk.nullable() }),
  z.object({ type: z.literal("look"), place }),
  /** Asks the person what to compare, step by step, in the editor's own list. */
  z.object({ type: z.literal("pick") }),
  /** What would this spend? */
  z.object({ type: z.literal("plan"), ask: compareAsk }),
  z.object({ type: z.literal("start"), ask: compareAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  z.object({ type: z.literal("export"), id: benchId, format: z.enum(exportFormats) }),
  /** Shows a run turn by turn, with the one it is paired with beside it. */
  z.object({ type: z.literal("openRun"), id: benchId, runId, beside: runId.nullable() }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const planMessage = z.object({
  type: z.literal("plan"),
  ask: compareAsk,
  /** Null where it cannot be planned, and why. */
  plan: benchPlan.nullable(),
  problem: z.string().nullable(),
});
export type PlanMessage = z.infer<typeof planMessage>;

export const asked = z.enum(["jobs", "comparison", "start", "cancel", "resume", "export"]);
export const hostMessage = z.discriminatedUnion("type", [
  planMessage,
  z.object({ type: z.literal("jobs"), jobs: z.array(jobSummary) }),
  /** `view` is null when there is no such comparison. */
  z.object({ type: z.literal("comparison"), id: benchId, view: jobView.nullable() }),
  /** Asked for and not got. `message` is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: asked, message: z.string() }),
  /** There is nobody to ask now. The host goes on by itself when there is. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** From elsewhere in the editor, or since it was begun: show this. */
  z.object({ type: z.literal("show"), place }),
  /** What to plan was chosen elsewhere in the editor. */
  z.object({ type: z.literal("showPlan"), ask: compareAsk }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** What the panel remembers while it is hidden and over a reload of the window. */
export const panelState = z.object({ place, ask: compareAsk.nullable(), scroll: z.number() });
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { place: { kind: "home" }, ask: null, scroll: 0 };
