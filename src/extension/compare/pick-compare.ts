import { inWords } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import type { BenchChoices, SuiteOffer } from "../../engine/jobs/bench-answers.ts";
import type { CompareAsk } from "../../engine/jobs/compare-answers.ts";
import {
  driverStep,
  knownModels,
  modelStep,
  priceStep,
  suiteStep,
  type LastAction,
} from "../bench/measure-steps.ts";
import { missingLabel } from "../bench/describe-bench.ts";
import { askForFile, withoutInstructions, type FileChange } from "./compare-change.ts";
import { saidInMessage, withoutIcons } from "../editor/outside-text.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { pickStep, type Step, type Stepped } from "../editor/pick.ts";

const { t } = vscode.l10n;
const maxLength = 120;
const parallelReplays = 4;
const knownEfforts = ["low", "medium", "high"];

/** The parts of a comparison known so far. */
type Draft = { readonly [Field in keyof CompareAsk]?: CompareAsk[Field] | undefined };
/** The kind of change to compare, before it is specified. */
type Subject = "model" | "effort" | FileChange;

interface State {
  readonly draft: Draft;
  readonly subject?: Subject;
}

interface Choice extends vscode.QuickPickItem, Partial<LastAction> {
  readonly state?: Draft;
  readonly subject?: Subject;
}

/** A question in the list, or a separate dialog that resolves to the answer or undefined. */
type Question =
  Omit<Step<Choice>, "title" | "canGoBack"> | { readonly ask: () => Promise<Draft | undefined> };
/** Builds a question from the previous answers; undefined when there is nothing to ask. */
type Asking = (state: State) => Question | undefined;

export type PickedComparison = (LastAction & { readonly ask: CompareAsk }) | undefined;

/**
 * Asks what to compare, step by step, skipping what is already known; the last step names the price. A caller that
 * already knows some of it gets the complete plan in the panel instead. Nothing is started here.
 */
export async function pickComparison(
  service: ServiceConnection,
  choices: BenchChoices,
  seed: Draft,
): Promise<PickedComparison> {
  const usable = choices.suites.filter(({ agents, problem }) => problem === null && agents.length > 0);
  const [first] = usable;
  if (first === undefined) return undefined;
  const offerOf = ({ suite }: Draft) => usable.find((one) => one.suite.origin === suite?.origin) ?? first;
  const isSeeded = Object.values(seed).some((known) => known !== undefined);
  const questions: Asking[] = [
    ...(seed.suite === undefined && usable.length > 1
      ? [() => suiteStep(usable, ({ suite }) => ({ state: { suite } }))]
      : []),
    ...(seed.change === undefined ? [() => kindQuestion(missingLabel(choices.drivers, t))] : []),
    ...(isOffered(seed, offerOf(seed))
      ? []
      : [({ draft, subject }: State) => (isPrompt(subject) ? undefined : agentQuestion(offerOf(draft)))]),
    ...(seed.change === undefined ? [(state: State) => changeQuestion(state, offerOf(state.draft))] : []),
    ...(seed.driver === undefined
      ? [
          ({ subject }: State) =>
            isPrompt(subject) ? undefined : driverStep(choices, (answer) => ({ state: answer })),
        ]
      : []),
    ...(seed.model === undefined
      ? [(state: State) => (isPrompt(state.subject) ? undefined : modelQuestion(state, offerOf(state.draft)))]
      : []),
    ...(isSeeded
      ? []
      : [
          ({ draft, subject }: State) =>
            isPrompt(subject)
              ? undefined
              : priceStep(service, asked(draft, offerOf(draft), choices), t("at most")),
        ]),
  ];
  const states: State[] = [{ draft: seed }];
  for (let index = 0; index < questions.length;) {
    const state = states[index] ?? { draft: seed };
    const question = questions[index]?.(state);
    const progress = { title: titleOf(seed), canGoBack: index > 0 };
    const stepped = await step(question, progress);
    if (stepped.kind === "gone") return undefined;
    if (stepped.kind === "back") {
      // Going back skips steps without a question or with a separate dialog.
      do index -= 1;
      while (index > 0 && !isList(questions[index]?.(states[index] ?? state)));
      continue;
    }
    const [item] = stepped.items;
    const draft = { ...state.draft, ...item?.state };
    if (item?.action !== undefined)
      return { action: item.action, ask: asked(draft, offerOf(draft), choices) };
    index += 1;
    const subject = item?.subject ?? state.subject;
    states[index] = { draft, ...(subject === undefined ? {} : { subject }) };
  }
  const draft = states.at(-1)?.draft ?? seed;
  return { action: "panel", ask: asked(draft, offerOf(draft), choices) };
}

/** Names what a caller already chose to leave out or to change. */
function titleOf({ change }: Draft): string {
  return change?.kind === "setting"
    ? t("Measure: {0}", withoutIcons(inWords(change.name), maxLength))
    : t("Compare");
}

async function step(
  question: Question | undefined,
  progress: { readonly title: string; readonly canGoBack: boolean },
): Promise<Stepped<Choice>> {
  if (question === undefined) return { kind: "chosen", items: [{ label: "" }] };
  if (!("ask" in question)) return await pickStep({ ...question, ...progress });
  const state = await question.ask();
  return state === undefined ? { kind: "back" } : { kind: "chosen", items: [{ label: "", state }] };
}

function isList(question: Question | undefined): boolean {
  return question !== undefined && !("ask" in question);
}

function isOffered({ agent }: Draft, { agents }: SuiteOffer): boolean {
  return agent !== undefined && agents.some(({ name }) => name === agent);
}

/** Fills in defaults for everything unanswered. */
function asked(draft: Draft, offer: SuiteOffer, { driver }: BenchChoices): CompareAsk {
  return {
    kind: "compare",
    suite: draft.suite ?? offer.suite,
    agent: draft.agent ?? offer.agents[0]?.name ?? "",
    change: draft.change ?? withoutInstructions,
    shared: draft.shared ?? [],
    rounds: draft.rounds ?? null,
    model: draft.model ?? null,
    effort: draft.effort ?? null,
    driver: draft.driver ?? driver,
    // A replay uses no quota.
    parallel: draft.parallel ?? ((draft.driver ?? driver) === "replay" ? parallelReplays : 1),
    tokenCap: draft.tokenCap ?? null,
  };
}

/** @param missing why only recordings can be run, shown before any question; null where an agent is ready */
function kindQuestion(missing: string | null): Question {
  const items: Choice[] = [
    { label: t("Another model"), description: t("such as haiku against sonnet"), subject: "model" },
    {
      label: t("Another prompt"),
      description: t("another version of the agent definition"),
      subject: "prompt",
    },
    { label: t("Another effort"), description: t("how long the model thinks"), subject: "effort" },
    { label: t("With a CLAUDE.md"), description: t("instructions for one side"), subject: "claude-md" },
    {
      label: t("Without the CLAUDE.md"),
      description: t("leaves out the project's instructions"),
      state: { change: withoutInstructions },
    },
    { label: t("With a skill"), description: t("a folder with a SKILL.md"), subject: "skill" },
    {
      label: t("With MCP servers"),
      description: t("an .mcp.json; its servers are started"),
      subject: "mcp",
    },
    {
      label: t("With other settings"),
      description: t("a settings.json; its hooks are run"),
      subject: "settings",
    },
  ];
  const placeholder = missing ?? t("What should differ? Everything else stays the same.");
  return { placeholder, items };
}

function agentQuestion({ agents, tasks }: SuiteOffer): Question {
  const items = agents.map(({ name, description }): Choice => ({
    label: withoutIcons(name, maxLength),
    description: t("{0} tasks", tasks.filter(({ agent }) => agent === name).length),
    detail: withoutIcons(description, maxLength),
    state: { agent: name },
  }));
  return { placeholder: t("Which agent?"), items };
}

function changeQuestion({ subject, draft }: State, { agents }: SuiteOffer): Question | undefined {
  if (subject === undefined || draft.change?.kind === "setting") return undefined;
  if (subject !== "model" && subject !== "effort") return { ask: () => fileAnswer(subject, agents) };
  const own = agents.find(({ name }) => name === draft.agent)?.model ?? null;
  const known = subject === "model" ? knownModels.filter((model) => model !== own) : knownEfforts;
  const item = (name: string): Choice => ({
    label: withoutIcons(name, maxLength),
    state: { change: subject === "model" ? { kind: subject, model: name } : { kind: subject, effort: name } },
  });
  return {
    placeholder:
      subject === "model"
        ? t("Which model? Choose one or type a name.")
        : t("Which effort? Choose one or type a name."),
    items: known.map(item),
    typed: (text) =>
      text === "" || known.includes(text) || text.length > (subject === "model" ? 200 : 50)
        ? undefined
        : item(text),
  };
}

/** A prompt's own file names its owner. No other question is needed: the panel shows the plan. */
function isPrompt(subject: Subject | undefined): boolean {
  return subject === "prompt";
}

async function fileAnswer(kind: FileChange, agents: SuiteOffer["agents"]): Promise<Draft | undefined> {
  const read = await askForFile(
    kind,
    agents.map(({ name }) => name),
  );
  if (read === undefined) return undefined;
  if (read.ok) return read.value;
  await vscode.window.showErrorMessage(saidInMessage(read.detail, 300));
  return undefined;
}

function modelQuestion({ draft }: State, { agents }: SuiteOffer): Question | undefined {
  if (draft.driver === "replay") return undefined;
  const other = draft.change?.kind === "model" ? draft.change.model : null;
  const question = {
    own: agents.find(({ name }) => name === draft.agent)?.model ?? null,
    known: (draft.driver === "claude" ? knownModels : []).filter((model) => model !== other),
    placeholder:
      other === null
        ? t("Which model for both sides? Choose one or type a name.")
        : t("Compared with which model? Choose one or type a name."),
  };
  return modelStep(question, (model) => ({ state: { model } }));
}
