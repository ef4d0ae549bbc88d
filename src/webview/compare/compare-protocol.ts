import * as z from "zod/mini";
import { benchId, benchPlan, jobSummary, jobView } from "../../engine/jobs/bench-answers.ts";
import { compareAsk } from "../../engine/jobs/compare-answers.ts";

/**
 * Messages between the Compare panel and its host. Both sides validate what they receive with these schemas. The host
 * always sends complete objects, never changes: a hidden panel receives nothing.
 */

const runId = z.string().check(z.minLength(1), z.maxLength(400));

/** The page being shown. A plan belongs to the request, which the panel stores beside the place. */
const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("home") }),
  z.object({ kind: z.literal("plan") }),
  z.object({ kind: z.literal("comparison"), id: benchId }),
]);
export type Place = z.infer<typeof place>;

const exportFormats = ["markdown", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started, and last showed this place. */
  z.object({ type: z.literal("ready"), place, ask: z.nullable(compareAsk) }),
  z.object({ type: z.literal("look"), place }),
  /** Asks the user what to compare, step by step in the editor's quick pick. */
  z.object({ type: z.literal("pick") }),
  /** Requests a plan with its price. */
  z.object({ type: z.literal("plan"), ask: compareAsk }),
  z.object({ type: z.literal("start"), ask: compareAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  z.object({ type: z.literal("export"), id: benchId, format: z.enum(exportFormats) }),
  /** Shows a run turn by turn, with the paired run beside it. */
  z.object({ type: z.literal("openRun"), id: benchId, runId, beside: z.nullable(runId) }),
  z.object({ type: z.literal("retry") }),
  z.object({ type: z.literal("showLog") }),
]);
export type PanelMessage = z.infer<typeof panelMessage>;

const planMessage = z.object({
  type: z.literal("plan"),
  ask: compareAsk,
  /** Null if it cannot be planned; the problem gives the reason. */
  plan: z.nullable(benchPlan),
  problem: z.nullable(z.string()),
});
export type PlanMessage = z.infer<typeof planMessage>;

export const asked = z.enum(["jobs", "comparison", "start", "cancel", "resume", "export"]);
export const hostMessage = z.discriminatedUnion("type", [
  planMessage,
  z.object({ type: z.literal("jobs"), jobs: z.array(jobSummary) }),
  /** The view is null if there is no such comparison. */
  z.object({ type: z.literal("comparison"), id: benchId, view: z.nullable(jobView) }),
  /** A request failed. The message is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: asked, message: z.string() }),
  /** The service is unavailable. The host resumes on its own once it is back. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** Shows a place, because of a command or a newly started comparison. */
  z.object({ type: z.literal("show"), place }),
  /** Plans a comparison that was chosen elsewhere in the editor. */
  z.object({ type: z.literal("showPlan"), ask: compareAsk }),
]);
export type HostMessage = z.infer<typeof hostMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({ place, ask: z.nullable(compareAsk), scroll: z.number() });
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { place: { kind: "home" }, ask: null, scroll: 0 };
