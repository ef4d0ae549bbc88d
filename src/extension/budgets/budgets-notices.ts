import * as vscode from "vscode";
import type { Disposable } from "../../engine/base/events.ts";
import { formatDay } from "../../engine/usage/local-day.ts";
import { alarmSentence, isWithoutHooks, newAlarms } from "./alarms.ts";
import type { HeldLevel } from "./budgets-state.ts";
import { projectsOf, type BudgetsContext } from "./budgets-context.ts";
import type { BudgetNode } from "./budgets-tree.ts";
import { readViewSettings } from "../editor/settings.ts";
import { t } from "../../engine/base/language.ts";

/** Notifies the user of limits that are near or passed: once per limit and period. */
export function registerBudgetNotices(context: BudgetsContext): Disposable {
  const { services, mutes, feed } = context;
  const check = () => {
    if (!readViewSettings().warnings) return;
    const alarms = newAlarms(projectsOf(context), (key) => mutes.wasShown(key), {
      today: formatDay(new Date()),
      isLive: (id) => services.sessions.find(id)?.live === true,
    });
    for (const { held, keys } of alarms) {
      if (mutes.isMuted(held.project.project, held.convoy.convoyId) || !services.interruptions.take())
        continue;
      mutes.markShown(keys);
      void notify(context, held).catch((error: unknown) => services.log.error(String(error)));
    }
  };
  check();
  return feed.onChange(check);
}

async function notify({ services, mutes }: BudgetsContext, held: HeldLevel): Promise<void> {
  const { project, convoy, level } = held;
  const [raise, open] = [t("Raise Limit…"), t("Show Budgets")];
  const [install, mute] = [t("Install Hooks…"), t("Mute This Budget")];
  const message = alarmSentence(held, t);
  services.log.info(`Budget: ${message}`);
  const isStop = level.state === "exceeded" && project.mode === "hard" && !isWithoutHooks(held);
  const actions = [isWithoutHooks(held) ? install : raise, open, mute];
  const choice = isStop
    ? await vscode.window.showErrorMessage(message, ...actions)
    : await vscode.window.showWarningMessage(message, ...actions);
  const node: BudgetNode = { kind: "budget-level", nth: 0, ...held };
  if (choice === raise) await vscode.commands.executeCommand("purser.raiseLimit", node);
  if (choice === install) await vscode.commands.executeCommand("purser.showHooks");
  if (choice === open) await vscode.commands.executeCommand("purser.budgets.focus");
  if (choice === mute) await mutes.mute(project, convoy.convoyId, true);
}
