import { inWords, plainSentence } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import type { DriverName } from "../../engine/bench/run-facts.ts";
import type { BenchChoices, JobOrder, SuiteOffer } from "../../engine/jobs/bench-answers.ts";
import { benchWindow } from "./bench-window.ts";
import {
  driverLabel,
  missingLabel,
  planDetail,
  replayLabel,
  startLabel,
  suiteLabel,
} from "./describe-bench.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { ServiceConnection, AskFailure } from "../service/connection.ts";
import { fail, type Result } from "../../engine/base/result.ts";

const { t } = vscode.l10n;

/**
 * `cancelled`: the user did not wait. `nothing`: nothing can be measured with, and the detail gives the
 * reason.
 */
type NoChoices = AskFailure | "cancelled" | "nothing";

/**
 * Reads what can be measured with. Shows a busy list at once, in which the questions follow.
 * @param title of the questions
 */
export async function readChoices(
  service: ServiceConnection,
  title: string,
): Promise<Result<BenchChoices, NoChoices>> {
  const pick = vscode.window.createQuickPick();
  pick.title = title;
  pick.placeholder = t("Reading golden tasks…");
  pick.busy = true;
  pick.ignoreFocusOut = true;
  const gone = new Promise<undefined>((resolve) => pick.onDidHide(() => resolve(undefined)));
  pick.show();
  const choices = await Promise.race([ask(service), gone]);
  pick.dispose();
  if (choices === undefined) return fail("cancelled", plainSentence(""));
  if (!choices.ok) return choices;
  const { suites } = choices.value;
  if (suites.some(({ agents }) => agents.length > 0)) return choices;
  const problem = suites.find((suite) => suite.problem !== null)?.problem;
  return fail("nothing", problem ?? plainSentence(t("There is no golden suite.")));
}

async function ask(service: ServiceConnection): Promise<Result<BenchChoices, AskFailure>> {
  await service.ready();
  return await service.ask("benchChoices", { workspace: benchWindow.workspace(), env: benchWindow.env() });
}

const [maxLength, maxNameLength] = [300, 120];

/** What to do with a planned job: start it, or show its plan in the panel. */
export interface LastAction {
  readonly action: "start" | "panel";
}

type Last = vscode.QuickPickItem & LastAction;

interface ModelQuestion {
  /** The agent's own model; null when its definition names none. */
  readonly own: string | null;
  readonly known: readonly string[];
  readonly placeholder: string;
}

/** Names of Claude Code's models that are offered. */
export const knownModels = ["sonnet", "opus", "haiku"];

/** A replay uses no model. */
interface DriverAnswer {
  readonly driver: DriverName;
  readonly model?: null;
}

/** The step that asks for a driver. @param withAnswer wraps the answer in the caller's item type */
export function driverStep<Rest extends object>(
  { drivers, driver: usual }: BenchChoices,
  withAnswer: (answer: DriverAnswer) => Rest,
) {
  const items = drivers
    .filter(({ isReady }) => isReady)
    .map(({ name, recordedBy }) => {
      const isReplay = name === "replay";
      const item: vscode.QuickPickItem = {
        label: driverLabel(name, t),
        description: isReplay ? t("free") : t("uses tokens of your account"),
        ...(isReplay ? { detail: replayLabel(recordedBy, t) } : {}),
      };
      return {
        name,
        item: { ...item, ...withAnswer(isReplay ? { driver: name, model: null } : { driver: name }) },
      };
    });
  return {
    placeholder: missingLabel(drivers, t) ?? t("Run with what?"),
    items: items.map(({ item }) => item),
    first: items.find(({ name }) => name === usual)?.item,
  };
}

/** The step that asks for a golden suite. @param withAnswer wraps the answer in the caller's item type */
export function suiteStep<Rest extends object>(
  offers: readonly SuiteOffer[],
  withAnswer: (offer: SuiteOffer) => Rest,
) {
  const items = offers.map((offer) => {
    const names = offer.agents.map(({ name }) => name).join(", ");
    return {
      label: suiteLabel(offer.suite, t),
      detail: withoutIcons(names, maxNameLength),
      ...withAnswer(offer),
    };
  });
  return { placeholder: t("Which golden suite?"), items };
}

/** Maximum length of a model's name. */
const maxModelLength = 200;

/**
 * The step that asks for a model: the agent's own, one of the known ones, or any other by typing its name.
 * @param withAnswer wraps the answer, null for the agent's own, in the caller's item type
 */
export function modelStep<Rest extends object>(
  { own, known, placeholder }: ModelQuestion,
  withAnswer: (model: string | null) => Rest,
) {
  const item = (model: string) => ({ label: withoutIcons(model, maxNameLength), ...withAnswer(model) });
  const usual = {
    label: t("The agent's own"),
    ...(own === null ? {} : { description: withoutIcons(own, maxNameLength) }),
    ...withAnswer(null),
  };
  return {
    placeholder,
    items: [usual, ...known.map(item)],
    typed: (text: string) =>
      text === "" || known.includes(text) || text.length > maxModelLength ? undefined : item(text),
  };
}

/** The last step, which names the price. @param note shown beside the item that starts the run */
export function priceStep(service: ServiceConnection, ask: JobOrder, note?: string) {
  const panel: Last = {
    label: `$(beaker) ${t("Look at It in the Panel")}`,
    detail: t("Review the plan; nothing runs yet."),
    action: "panel",
  };
  const offer = async (): Promise<Last[]> => {
    const planned = await service.ask("benchPlan", { ask, env: benchWindow.env() });
    if (!planned.ok) {
      const label = `$(error) ${t("It cannot be planned")}`;
      return [{ label, detail: withoutIcons(inWords(planned.detail), maxLength), action: "panel" }];
    }
    const { plan } = planned.value;
    return [
      {
        label: `$(play) ${startLabel(plan, t)}`,
        ...(note === undefined ? {} : { description: note }),
        detail: withoutIcons(planDetail(plan, t), maxLength),
        action: "start",
      },
    ];
  };
  return { placeholder: t("Nothing runs until you confirm."), items: [panel], later: offer() };
}
