import * as z from "zod/mini";
import { plainSentence } from "../../../engine/base/language.ts";
import {
  benchAsk,
  type BenchAsk,
  type BenchChoices,
  type JobOrder,
  type SuiteOffer,
} from "../../../engine/jobs/bench-answers.ts";
import { compareAsk, type CompareAsk } from "../../../engine/jobs/compare-answers.ts";

/** The kinds of experiments, by the names that the command "New Experiment…" takes as its argument. */
export const experimentKinds = ["benchmark", "comparison", "rules", "trial", "prompt"] as const;
export type ExperimentKind = (typeof experimentKinds)[number];

/** What differs in a comparison. `given` was chosen in an editor, such as a paragraph that is left out. */
const subjects = [
  "model",
  "effort",
  "prompt",
  "without-claude-md",
  "claude-md",
  "skill",
  "mcp",
  "settings",
  "given",
] as const;
export type Subject = (typeof subjects)[number];

/** Subjects with a file or folder that the user chooses in the editor's dialog. */
export const fileSubjects = ["claude-md", "skill", "mcp", "settings"] as const;
export type FileSubject = (typeof fileSubjects)[number];

/** The one form of all experiments. What a kind does not need stays for the others. */
export const experimentForm = z.object({
  kind: z.enum(experimentKinds),
  subject: z.enum(subjects),
  suite: compareAsk.shape.suite,
  /** Only a benchmark takes more than the first. */
  agents: benchAsk.shape.agents,
  taskIds: benchAsk.shape.taskIds,
  driver: compareAsk.shape.driver,
  model: compareAsk.shape.model,
  effort: compareAsk.shape.effort,
  tokenCap: compareAsk.shape.tokenCap,
  /** Of each task, in a benchmark. */
  runs: benchAsk.shape.runs,
  /** The most of a comparison. */
  rounds: compareAsk.shape.rounds,
  /** The changed side's; empty before one is named. */
  otherModel: z.string().check(z.maxLength(200)),
  otherEffort: z.string().check(z.maxLength(50)),
  furtherModels: z.array(z.string()),
  /** A prompt, a file of the project, or what was given; null before one is chosen. */
  change: z.nullable(compareAsk.shape.change),
  /** The file of the chosen prompt. */
  promptFile: z.nullable(z.string()),
  shared: compareAsk.shape.shared,
  /** The agent whose rules are measured or tried. */
  ruleAgent: z.nullable(z.string()),
});
export type ExperimentForm = z.infer<typeof experimentForm>;

/** What a caller already knows. The rest is as in the form. */
export const experimentSeed = z.object({
  kind: z.enum(experimentKinds),
  /** Parts of a comparison that was chosen in an editor. */
  compare: z.optional(z.partial(compareAsk)),
});
export type ExperimentSeed = z.infer<typeof experimentSeed>;

/** An agent definition that may be the other prompt. Text of the user. */
export const promptOffer = z.object({
  agent: z.string(),
  /** Absolute. */
  file: z.string(),
  /** Its path in the workspace, as it is shown. */
  name: z.string(),
  definition: z.string(),
});
export type PromptOffer = z.infer<typeof promptOffer>;

/** Default runs of each task: three can distinguish a steady task from an unsteady one. */
const usualRuns = 3;
/** Number of parallel replays: they use nothing but this machine's time. */
const parallelReplays = 4;

/** Names of Claude Code's models that are offered. */
export const knownModels = ["sonnet", "opus", "haiku"];
export const knownEfforts = ["low", "medium", "high"];

/** The project as it is, but without instructions. */
const withoutInstructions: CompareAsk["change"] = {
  kind: "setting",
  name: plainSentence("no CLAUDE.md"),
  files: [{ path: "CLAUDE.md", text: null }],
};

/** What the form is filled from. */
export interface Offers {
  readonly choices: BenchChoices;
  readonly prompts: readonly PromptOffer[];
  readonly ruleAgents: readonly string[];
}

/** Fills the form: as it was, as far as that is still possible, else with defaults. Null when nothing can be chosen from. */
export function filledForm(offers: Offers, before: ExperimentForm | null): ExperimentForm | null {
  const { choices, prompts, ruleAgents } = offers;
  const usable = choices.suites.filter(({ agents, problem }) => problem === null && agents.length > 0);
  const offer = usable.find(({ suite }) => before !== null && isSameSuite(suite, before.suite)) ?? usable[0];
  if (offer === undefined) return null;
  const form = before ?? firstForm(offer, choices);
  const known = form.agents.filter((agent) => offer.agents.some(({ name }) => name === agent));
  const agents = known.length > 0 ? known : offer.agents.slice(0, 1).map(({ name }) => name);
  const ruleAgent =
    form.ruleAgent !== null && ruleAgents.includes(form.ruleAgent) ? form.ruleAgent : (ruleAgents[0] ?? null);
  const placed = { ...form, suite: offer.suite, agents, ruleAgent };
  return withPrompts(withTasks(placed, offer, known.length > 0 ? form.taskIds : null), prompts);
}

function firstForm({ suite, agents }: SuiteOffer, { driver }: BenchChoices): ExperimentForm {
  return {
    kind: "benchmark",
    subject: "model",
    suite,
    agents: agents.slice(0, 1).map(({ name }) => name),
    taskIds: null,
    driver,
    model: null,
    effort: null,
    tokenCap: null,
    // A replay is the same each time.
    runs: driver === "replay" ? 1 : usualRuns,
    rounds: null,
    otherModel: knownModels.find((model) => model !== agents[0]?.model) ?? "",
    otherEffort: "low",
    furtherModels: [],
    change: null,
    promptFile: null,
    shared: [],
    ruleAgent: null,
  };
}

/** Reads the chosen prompt again: its file may have been edited. */
function withPrompts(form: ExperimentForm, prompts: readonly PromptOffer[]): ExperimentForm {
  if (form.subject !== "prompt") return form;
  const own = prompts.filter(({ agent }) => agent === form.agents[0]);
  const prompt = own.find(({ file }) => file === form.promptFile);
  // A stored plan has the prompt's text without its file.
  if (prompt === undefined && form.promptFile === null && form.change?.kind === "prompt") return form;
  return withPrompt(form, prompt ?? own[0]);
}

export function withPrompt(form: ExperimentForm, prompt: PromptOffer | undefined): ExperimentForm {
  if (prompt === undefined) return { ...form, change: null, promptFile: null };
  const { name, definition, file } = prompt;
  return { ...form, promptFile: file, change: { kind: "prompt", name, definition } };
}

/** Chooses what differs. What was chosen for another subject does not stay. */
export function withSubject(
  form: ExperimentForm,
  subject: Subject,
  { choices, prompts }: Pick<Offers, "choices" | "prompts">,
): ExperimentForm {
  const changed = { ...form, subject, change: null, promptFile: null, shared: [] };
  if (subject !== "prompt") return changed;
  const known = offerOf(choices, form)?.agents.map(({ name }) => name) ?? [];
  const usable = prompts.filter(({ agent }) => known.includes(agent));
  // Where only another agent has a second prompt, that agent is meant.
  const own = usable.find(({ agent }) => agent === form.agents[0]) ?? usable[0];
  return withPrompts(
    own === undefined ? changed : { ...changed, agents: [own.agent], taskIds: null },
    prompts,
  );
}

/** Chooses other agents, with all their tasks. */
export function withAgents(
  form: ExperimentForm,
  agents: readonly string[],
  prompts: readonly PromptOffer[],
): ExperimentForm {
  const promptFile = null;
  const change = form.subject === "prompt" ? null : form.change;
  return withPrompts({ ...form, agents: [...agents], taskIds: null, change, promptFile }, prompts);
}

/** Chooses tasks. @param taskIds null for all; ids of other agents' tasks are ignored */
export function withTasks(
  form: ExperimentForm,
  offer: SuiteOffer,
  taskIds: readonly string[] | null,
): ExperimentForm {
  const all = tasksOf(form, offer).map(({ id }) => id);
  const chosen = taskIds === null ? all : all.filter((id) => taskIds.includes(id));
  return { ...form, taskIds: chosen.length === all.length || chosen.length === 0 ? null : chosen };
}

export function tasksOf({ kind, agents }: ExperimentForm, offer: SuiteOffer): SuiteOffer["tasks"] {
  const wanted = kind === "benchmark" ? agents : agents.slice(0, 1);
  return offer.tasks.filter(({ agent }) => wanted.includes(agent));
}

/** The form with what a caller knows. */
export function withSeed(form: ExperimentForm, { kind, compare }: ExperimentSeed): ExperimentForm {
  if (compare === undefined) return { ...form, kind };
  const { suite, agent, change, shared, driver, model, effort, rounds, tokenCap } = compare;
  return {
    ...form,
    kind,
    suite: suite ?? form.suite,
    agents: agent === undefined ? form.agents : [agent],
    ...(change === undefined ? {} : { subject: "given", change }),
    shared: shared ?? [],
    driver: driver ?? form.driver,
    model: model ?? form.model,
    effort: effort ?? form.effort,
    rounds: rounds ?? form.rounds,
    tokenCap: tokenCap ?? form.tokenCap,
  };
}

/** The form of an earlier experiment, to plan it again. */
export function formOf(ask: JobOrder, before: ExperimentForm | null): ExperimentForm {
  const shared = {
    suite: ask.suite,
    driver: ask.driver,
    model: ask.model,
    effort: ask.effort,
    tokenCap: ask.tokenCap,
  };
  const rest = {
    subject: "model" as const,
    taskIds: null,
    runs: usualRuns,
    rounds: null,
    otherModel: "",
    otherEffort: "low",
    furtherModels: [],
    change: null,
    promptFile: null,
    shared: [],
    ruleAgent: null,
    ...before,
    ...shared,
  };
  switch (ask.kind) {
    case "bench":
      return { ...rest, kind: "benchmark", agents: ask.agents, taskIds: ask.taskIds, runs: ask.runs };
    case "select":
      return { ...rest, kind: "rules", agents: [ask.agent], ruleAgent: ask.agent };
    case "compare": {
      const own = {
        kind: "comparison" as const,
        agents: [ask.agent],
        rounds: ask.rounds,
        shared: ask.shared,
      };
      return { ...rest, ...own, promptFile: null, ...changedIn(ask) };
    }
  }
}

/** The form's fields of what a comparison changes. */
function changedIn({ change, others = [] }: CompareAsk) {
  const furtherModels = others.flatMap((other) => (other.kind === "model" ? [other.model] : []));
  switch (change.kind) {
    case "model":
      return { subject: "model" as const, otherModel: change.model, furtherModels, change: null };
    case "effort":
      return { subject: "effort" as const, otherEffort: change.effort, change: null };
    case "prompt":
      return { subject: "prompt" as const, change };
    case "setting":
    case "without":
      return { subject: "given" as const, change };
  }
}

/** What the form asks to be run. Null for a trial and a rewrite, which are no jobs, and while something is not chosen. */
export function askOf(form: ExperimentForm): BenchAsk | CompareAsk | null {
  const { kind, suite, agents, taskIds, driver, effort, tokenCap, runs } = form;
  const isReplay = driver === "replay";
  // A replay uses no model.
  const shared = { suite, model: isReplay ? null : form.model, effort, driver, tokenCap };
  if (kind === "benchmark") return { kind: "bench", agents, taskIds, runs, parallel: 1, ...shared };
  const [agent] = agents;
  const change = changeOf(form);
  if (kind !== "comparison" || agent === undefined || change === null) return null;
  const others = form.furtherModels.map((model) => ({ kind: "model" as const, model }));
  return {
    kind: "compare",
    agent,
    change,
    ...(form.subject === "model" && others.length > 0 ? { others } : {}),
    shared: form.shared,
    rounds: form.rounds,
    parallel: isReplay ? parallelReplays : 1,
    ...shared,
  };
}

function changeOf({ subject, otherModel, otherEffort, change }: ExperimentForm): CompareAsk["change"] | null {
  switch (subject) {
    case "model":
      return otherModel === "" ? null : { kind: "model", model: otherModel };
    case "effort":
      return otherEffort === "" ? null : { kind: "effort", effort: otherEffort };
    case "without-claude-md":
      return withoutInstructions;
    case "prompt":
    case "claude-md":
    case "skill":
    case "mcp":
    case "settings":
    case "given":
      return change;
  }
}

/** Whether two requests are equal, in any order of their members. */
export function isSameAsk(one: JobOrder, other: JobOrder | null): boolean {
  return other !== null && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, own]): [string, unknown] => [key, sorted(own)]));
}

/** Finds the chosen suite, if it still exists. */
export function offerOf(choices: BenchChoices, { suite: wanted }: Pick<ExperimentForm, "suite">) {
  return choices.suites.find(({ suite }) => isSameSuite(suite, wanted));
}

function isSameSuite(one: BenchAsk["suite"], other: BenchAsk["suite"]): boolean {
  if (one.origin === "workspace" && other.origin === "workspace") return one.folder === other.folder;
  return one.origin === other.origin;
}

/** Whether runs can be made with this driver here. */
export function isReadyIn(drivers: BenchChoices["drivers"], wanted: string): boolean {
  return drivers.some(({ name, isReady }) => name === wanted && isReady);
}
