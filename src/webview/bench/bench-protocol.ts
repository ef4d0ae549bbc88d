import * as z from "zod/mini";
import {
  benchAsk,
  benchChoices,
  benchId,
  benchPlan,
  jobSummary,
  jobView,
  runPage,
} from "../../engine/jobs/bench-answers.ts";

/**
 * Messages between the Bench panel and its host. Both sides validate what they receive with these schemas. The host
 * always sends complete objects, never changes: a hidden panel receives nothing.
 */

const runId = z.string().check(z.minLength(1), z.maxLength(400));

/** The page being shown. A run may have another run beside it, of the same bench or another one. */
export const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("home") }),
  z.object({ kind: z.literal("bench"), id: benchId }),
  z.object({
    kind: z.literal("run"),
    id: benchId,
    runId,
    beside: z.nullable(z.object({ id: benchId, runId })),
  }),
]);
export type Place = z.infer<typeof place>;

/** The first message. `ask` is null until there is something to choose from. */
const ready = z.object({ type: z.literal("ready"), place, ask: z.nullable(benchAsk) });

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started, and last showed this place. */
  ready,
  z.object({ type: z.literal("look"), place }),
  /** Requests a plan with its price. */
  z.object({ type: z.literal("plan"), ask: benchAsk }),
  z.object({ type: z.literal("start"), ask: benchAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  /** Shows the comparison that a run belongs to, in its own panel. */
  z.object({ type: z.literal("openComparison"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  /** Saves a bench, with its runs and results, to a file. */
  z.object({ type: z.literal("export"), id: benchId }),
  /** Shows in the editor how a run changed a file: compared with the original, or with another run's version. */
  z.object({
    type: z.literal("openChange"),
    id: benchId,
    runId,
    path: z.string().check(z.minLength(1), z.maxLength(4096)),
    /** The names of the run and of the other one. */
    name: z.string().check(z.maxLength(100)),
    other: z.nullable(z.object({ id: benchId, runId, name: z.string().check(z.maxLength(100)) })),
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
  /** Whether the workspace is trusted: only then is its own suite searched for. */
  isTrusted: z.boolean(),
});
const planMessage = z.object({
  type: z.literal("plan"),
  ask: benchAsk,
  /** Null if it cannot be planned; the problem gives the reason. */
  plan: z.nullable(benchPlan),
  problem: z.nullable(z.string()),
});
const jobsMessage = z.object({ type: z.literal("jobs"), jobs: z.array(jobSummary) });
/** The view is null if there is no such bench. */
const benchMessage = z.object({ type: z.literal("bench"), id: benchId, view: z.nullable(jobView) });
const runMessage = z.object({ type: z.literal("run"), id: benchId, runId, page: z.nullable(runPage) });

export const asked = z.enum(["choices", "jobs", "bench", "run", "start", "cancel", "resume"]);
export const hostMessage = z.discriminatedUnion("type", [
  choicesMessage,
  planMessage,
  jobsMessage,
  benchMessage,
  runMessage,
  /** A request failed. The message is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: asked, message: z.string() }),
  /** The service is unavailable. The host resumes on its own once it is back. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** Shows a place, because of a command or a newly started bench. */
  z.object({ type: z.literal("show"), place }),
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type PlanMessage = z.infer<typeof planMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
export const panelState = z.object({ place, ask: z.nullable(benchAsk), scroll: z.number() });
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { place: { kind: "home" }, ask: null, scroll: 0 };
