import * as vscode from "vscode";
import type { Disposable } from "../../engine/base/disposable.ts";
import { formatDay } from "../../engine/usage/local-day.ts";
import { alarmSentence, newAlarms } from "./alarms.ts";
import type { HeldLevel } from "./state.ts";
import { projectsOf, type BudgetsDesk } from "./context.ts";
import type { BudgetNode } from "./tree.ts";
import { readViewSettings } from "../editor/settings.ts";

const { t } = vscode.l10n;

/** Notifies the user of limits that are near or passed: once per limit and period. */
export function registerBudgetNotices(desk: BudgetsDesk): Disposable {
  const { services, mutes, feed } = desk;
  const check = () => {
    if (!readViewSettings().warnings) return;
    const alarms = newAlarms(projectsOf(desk), (key) => mutes.isTold(key), {
      today: formatDay(new Date()),
      isLive: (id) => services.sessions.find(id)?.live === true,
    });
    for (const { held, keys } of alarms) {
      if (mutes.isMuted(held.project.project, held.convoy.convoyId)) continue;
      mutes.tell(keys);
      void tell(desk, held).catch((error: unknown) => services.log.error(String(error)));
    }
  };
  check();
  return feed.onChange(check);
}

async function tell({ services, mutes }: BudgetsDesk, held: HeldLevel): Promise<void> {
  const { project, convoy, level } = held;
  const raise = t("Raise Limit…");
  const open = t("Open");
  const mute = t("Mute");
  const message = alarmSentence(held, t);
  services.log.info(`Budget: ${message}`);
  const isStop = level.state === "exceeded" && project.mode === "hard";
  const said = isStop
    ? await vscode.window.showErrorMessage(message, raise, open, mute)
    : await vscode.window.showWarningMessage(message, raise, open, mute);
  const node: BudgetNode = { kind: "budget-level", nth: 0, ...held };
  if (said === raise) await vscode.commands.executeCommand("purser.raiseLimit", node);
  if (said === open) await vscode.commands.executeCommand("purser.budgets.focus");
  if (said === mute) await mutes.mute(project, convoy.convoyId, true);
}
