import { inWords } from "../../engine/base/language.ts";
import * as vscode from "vscode";
import type { DriverName } from "../../engine/bench/run-facts.ts";
import type { BenchChoices, JobOrder } from "../../engine/jobs/bench-answers.ts";
import { benchWindow } from "./asked-with.ts";
import { driverLabel, missingLabel, planDetail, replayLabel, startLabel } from "./describe-bench.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { ServiceConnection } from "../service/connection.ts";

/** Steps shared by all measurements. */

const { t } = vscode.l10n;
const maxLength = 300;

/** What to do with a planned job: start it, or show its plan in the panel. */
export interface LastAction {
  readonly action: "start" | "panel";
}

type Last = vscode.QuickPickItem & LastAction;

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
