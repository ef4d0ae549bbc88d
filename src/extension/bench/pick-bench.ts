import * as vscode from "vscode";
import type { DriverName } from "../../engine/bench/run-facts.ts";
import type { BenchAsk, BenchChoices, SuiteOffer } from "../../engine/jobs/bench-answers.ts";
import {
  driverStep,
  knownModels,
  modelStep,
  priceStep,
  suiteStep,
  type LastAction,
} from "./measure-steps.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { ServiceConnection } from "../service/connection.ts";
import { pickStep, type Step, type Stepped } from "../editor/pick.ts";

const { t } = vscode.l10n;
const maxLength = 120;
const usualRuns = 3;
const maxRuns = 100;

interface Choice extends vscode.QuickPickItem, Partial<LastAction> {
  readonly ask?: Partial<BenchAsk>;
}

/** A question based on the previous answers; undefined when there is nothing to ask. */
type Question = (ask: BenchAsk) => Omit<Step<Choice>, "title" | "canGoBack"> | undefined;

export type Picked = (LastAction & { readonly ask: BenchAsk }) | undefined;

/** Asks what to measure, step by step; the last step names the price. Nothing is started here. */
export async function pickBench(service: ServiceConnection, choices: BenchChoices): Promise<Picked> {
  const usable = choices.suites.filter(({ agents, problem }) => problem === null && agents.length > 0);
  const [first] = usable;
  if (first === undefined) return undefined;
  const offerOf = (ask: BenchAsk) => usable.find(({ suite }) => suite.origin === ask.suite.origin) ?? first;
  const questions: Question[] = [
    ...(usable.length > 1
      ? [
          () =>
            suiteStep(usable, ({ suite, agents }) => ({
              ask: { suite, agents: agents.slice(0, 1).map(({ name }) => name) },
            })),
        ]
      : []),
    (ask) => agentQuestion(offerOf(ask)),
    (ask) => taskQuestion(offerOf(ask), ask),
    () => driverStep(choices, (answer) => ({ ask: answer })),
    (ask) => modelQuestion(offerOf(ask), ask),
    (ask) => runsQuestion(ask),
    (ask) => priceStep(service, ask),
  ];
  const asks: BenchAsk[] = [firstAsk(first, choices.driver)];
  for (let index = 0; index < questions.length;) {
    const ask = asks[index] ?? firstAsk(first, choices.driver);
    const question = questions[index]?.(ask);
    const progress = { title: t("Run Benchmark"), canGoBack: index > 0 };
    const stepped: Stepped<Choice> =
      question === undefined
        ? { kind: "chosen", items: [{ label: "" }] }
        : await pickStep({ ...question, ...progress });
    if (stepped.kind === "gone") return undefined;
    if (stepped.kind === "back") {
      // Going back skips steps that asked nothing.
      do index -= 1;
      while (index > 0 && questions[index]?.(asks[index] ?? ask) === undefined);
      continue;
    }
    const next = stepped.items.reduce((sum, item) => withChoice(sum, item, stepped.items), ask);
    const action = stepped.items[0]?.action;
    if (action !== undefined) return { action, ask: next };
    index += 1;
    asks[index] = next;
  }
  return undefined;
}

function firstAsk({ suite, agents }: SuiteOffer, driver: DriverName): BenchAsk {
  return {
    kind: "bench",
    suite,
    agents: agents.slice(0, 1).map(({ name }) => name),
    taskIds: null,
    model: null,
    effort: null,
    driver,
    parallel: 1,
    tokenCap: null,
    runs: driver === "replay" ? 1 : usualRuns,
  };
}

/** Several tasks can be chosen at once: they are combined. */
function withChoice(ask: BenchAsk, item: Choice, items: readonly Choice[]): BenchAsk {
  const tasks = items.flatMap((one) => one.ask?.taskIds ?? []);
  return { ...ask, ...item.ask, ...(tasks.length > 0 ? { taskIds: tasks } : {}) };
}

function agentQuestion({ agents, tasks }: SuiteOffer): ReturnType<Question> {
  const count = (names: readonly string[]) => tasks.filter(({ agent }) => names.includes(agent)).length;
  const item = (label: string, names: string[], detail?: string): Choice => ({
    label: withoutIcons(label, maxLength),
    description: t("{0} tasks", count(names)),
    ...(detail === undefined ? {} : { detail: withoutIcons(detail, maxLength) }),
    ask: { agents: names, taskIds: null },
  });
  const all = agents.map(({ name }) => name);
  const items = agents.map(({ name, description }) => item(name, [name], description));
  return {
    placeholder: t("Which agent?"),
    items: all.length > 1 ? [...items, item(t("All agents"), all)] : items,
  };
}

function taskQuestion({ tasks }: SuiteOffer, { agents }: BenchAsk): ReturnType<Question> {
  const own = tasks.filter(({ agent }) => agents.includes(agent));
  const items = own.map(({ id, title, agent }): Choice => ({
    label: withoutIcons(title, maxLength),
    ...(agents.length > 1 ? { description: withoutIcons(agent, maxLength) } : {}),
    ask: { taskIds: [id] },
  }));
  return { placeholder: t("Which tasks?"), items, chosen: items };
}

function modelQuestion({ agents }: SuiteOffer, ask: BenchAsk): ReturnType<Question> {
  if (ask.driver === "replay") return undefined;
  const question = {
    own: agents.find(({ name }) => name === ask.agents[0])?.model ?? null,
    known: ask.driver === "claude" ? knownModels : [],
    placeholder: t("Which model? Choose one or type a name."),
  };
  return modelStep(question, (model) => ({ ask: { model } }));
}

function runsQuestion(ask: BenchAsk): ReturnType<Question> {
  const item = (runs: number, description?: string): Choice => ({
    label: runs === 1 ? t("1 run of each task") : t("{0} runs of each task", runs),
    ...(description === undefined ? {} : { description }),
    ask: { runs },
  });
  const items = [
    item(1, t("a first look")),
    item(3, t("shows which tasks vary from run to run")),
    item(5),
    item(10, t("a narrow interval")),
  ];
  return {
    placeholder: t("How many runs? Choose or type a number."),
    items,
    first: items[ask.driver === "replay" ? 0 : 1],
    typed: (text) => {
      const runs = Number(text);
      const isOne = Number.isInteger(runs) && runs >= 1 && runs <= maxRuns;
      return isOne && ![1, 3, 5, 10].includes(runs) ? { ...item(runs), alwaysShow: true } : undefined;
    },
  };
}
