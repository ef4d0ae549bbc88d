import * as z from "zod/mini";
import {
  benchAsk,
  benchChoices,
  benchId,
  benchPlan,
  jobAsk,
  jobSummary,
  jobView,
  runPage,
} from "../../engine/jobs/bench-answers.ts";
import { compareAsk } from "../../engine/jobs/compare-answers.ts";
import { trialHead } from "../../engine/rules/trial-answers.ts";
import { experimentForm, experimentSeed, fileSubjects, formOf, promptOffer } from "./form/form.ts";

/**
 * Messages between the Experiments panel and its host. Both sides validate what they receive with these schemas. The host
 * always sends complete objects, never changes: a hidden panel receives nothing.
 */

const runId = z.string().check(z.minLength(1), z.maxLength(400));
const agent = z.string().check(z.minLength(1), z.maxLength(200));

/** A run may have another run beside it, of the same experiment or another one. */
const runPlace = z.object({
  kind: z.literal("run"),
  id: benchId,
  runId,
  beside: z.nullable(z.object({ id: benchId, runId })),
});
/** The page being shown. */
export const place = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("home") }),
  z.object({ kind: z.literal("form") }),
  z.object({ kind: z.literal("job"), id: benchId }),
  runPlace,
]);
export type Place = z.infer<typeof place>;

/** The request of the form. Rules are planned in their own panel. */
const plannedAsk = z.discriminatedUnion("kind", [benchAsk, compareAsk]);
export type PlannedAsk = z.infer<typeof plannedAsk>;

const exportFormats = ["markdown", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const panelMessage = z.discriminatedUnion("type", [
  /** The panel's script has started, and last showed this place. `ask` is what its form asks for. */
  z.object({ type: z.literal("ready"), place, ask: z.nullable(plannedAsk) }),
  z.object({ type: z.literal("look"), place }),
  /** Requests a plan with its price. */
  z.object({ type: z.literal("plan"), ask: plannedAsk }),
  z.object({ type: z.literal("start"), ask: plannedAsk }),
  z.object({ type: z.literal("cancel"), id: benchId }),
  z.object({ type: z.literal("resume"), id: benchId }),
  /** Saves an experiment, with its runs and results, to a file. */
  z.object({ type: z.literal("export"), id: benchId, format: z.enum(exportFormats) }),
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
  /** Asks for the file or folder that one side of a comparison gets. */
  z.object({ type: z.literal("chooseFile"), subject: z.enum(fileSubjects) }),
  /** Opens a copy of a prompt in the editor, to be changed. @see promptOffer; null for the agent's own prompt */
  z.object({
    type: z.literal("copyPrompt"),
    agent,
    file: z.nullable(z.string().check(z.minLength(1), z.maxLength(4096))),
  }),
  /** Opens a prompt in the editor. */
  z.object({ type: z.literal("openPrompt"), file: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  /** Shows the measuring of an agent's rules, or their trial on real work, in the panel of rules; that of guards in their own. */
  z.object({
    type: z.literal("openRules"),
    page: z.enum(["rules", "trial", "guards"]),
    agent: z.nullable(agent),
  }),
  /** Proposes a shorter prompt in the terminal, which shows the price and asks first. */
  z.object({ type: z.literal("shorten"), agent }),
  /** Makes golden tasks of the project's commits in a terminal, which names the price, asks, shows progress, and cancels. */
  z.object({ type: z.literal("draftTasks") }),
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
  prompts: z.array(promptOffer),
  /** Agents that rules are for. */
  ruleAgents: z.array(z.string()),
});
export type ChoicesMessage = z.infer<typeof choicesMessage>;
const planMessage = z.object({
  type: z.literal("plan"),
  ask: plannedAsk,
  /** Null if it cannot be planned; the problem gives the reason. */
  plan: z.nullable(benchPlan),
  problem: z.nullable(z.string()),
});
const jobsMessage = z.object({
  type: z.literal("jobs"),
  jobs: z.array(jobSummary),
  trials: z.array(trialHead),
});
/** The view is null if there is no such experiment. */
const jobMessage = z.object({ type: z.literal("job"), id: benchId, view: z.nullable(jobView) });
const runMessage = z.object({ type: z.literal("run"), id: benchId, runId, page: z.nullable(runPage) });

export const asked = z.enum(["choices", "jobs", "job", "run", "start", "cancel", "resume", "export", "file"]);
export const hostMessage = z.discriminatedUnion("type", [
  choicesMessage,
  planMessage,
  jobsMessage,
  jobMessage,
  runMessage,
  /** The file or folder that was chosen. */
  z.object({
    type: z.literal("chosen"),
    subject: z.enum(fileSubjects),
    change: compareAsk.shape.change,
  }),
  /** A copy of a prompt was made: the form's prompt. */
  z.object({ type: z.literal("copied"), file: z.string() }),
  /** A request failed. The message is a sentence in the user's language. */
  z.object({ type: z.literal("error"), about: asked, message: z.string() }),
  /** The service is unavailable. The host resumes on its own once it is back. */
  z.object({ type: z.literal("offline"), message: z.string() }),
  /** Shows a place, because of a command or a newly started experiment. */
  z.object({ type: z.literal("show"), place }),
  /** Shows the form, with what a command knows. */
  z.object({ type: z.literal("begin"), seed: experimentSeed }),
]);
export type HostMessage = z.infer<typeof hostMessage>;
export type PlanMessage = z.infer<typeof planMessage>;

/** The state that outlives a hidden panel and a reload of the window. */
const panelState = z.object({ place, form: z.nullable(experimentForm), scroll: z.number() });
export type PanelState = z.infer<typeof panelState>;

export const firstState: PanelState = { place: { kind: "home" }, form: null, scroll: 0 };

/** States of the panels that this one replaces, Benchmark and Compare. They are restored for one more version. */
const formerState = z.object({
  place: z.discriminatedUnion("kind", [
    z.object({ kind: z.enum(["home", "plan"]) }),
    z.object({ kind: z.enum(["bench", "comparison"]), id: benchId }),
    runPlace,
  ]),
  ask: z.nullable(jobAsk),
  scroll: z.number(),
});

/** A stored state, of this panel or of a replaced one. */
export const storedState = z.union([
  panelState,
  z.pipe(
    formerState,
    z.transform(({ place: former, ask, scroll }): PanelState => ({
      place: placeNow(former),
      form: ask === null ? null : formOf(ask, null),
      scroll,
    })),
  ),
]);

function placeNow(former: z.infer<typeof formerState>["place"]): Place {
  switch (former.kind) {
    case "home":
      return { kind: "home" };
    case "run":
      return former;
    case "plan":
      return { kind: "form" };
    case "bench":
    case "comparison":
      return { kind: "job", id: former.id };
  }
}
