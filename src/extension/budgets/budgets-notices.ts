import * as vscode from "vscode";
import type { Disposable } from "../../engine/base/events.ts";
import { formatDay } from "../../engine/usage/local-day.ts";
import { alarmSentence, newAlarms } from "./alarms.ts";
import type { HeldLevel } from "./budgets-state.ts";
import { projectsOf, type BudgetsContext } from "./budgets-context.ts";
import type { BudgetNode } from "./budgets-tree.ts";
import { readViewSettings } from "../editor/settings.ts";
import { companionAgents, type CompanionAgents } from "./companions.ts";
import { inMessage } from "../editor/outside-text.ts";

const { t } = vscode.l10n;

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
      if (mutes.isMuted(held.project.project, held.convoy.convoyId)) continue;
      mutes.markShown(keys);
      void notify(context, held).catch((error: unknown) => services.log.error(String(error)));
    }
  };
  check();
  return feed.onChange(check);
}

async function notify({ services, mutes }: BudgetsContext, held: HeldLevel): Promise<void> {
  const { project, convoy, level } = held;
  const raise = t("Raise Limit…");
  const open = t("Open");
  const mute = t("Mute");
  const message = alarmSentence(held, t);
  services.log.info(`Budget: ${message}`);
  const isStop = level.state === "exceeded" && project.mode === "hard";
  const choice = isStop
    ? await vscode.window.showErrorMessage(message, raise, open, mute)
    : await vscode.window.showWarningMessage(message, raise, open, mute);
  const node: BudgetNode = { kind: "budget-level", nth: 0, ...held };
  if (choice === raise) await vscode.commands.executeCommand("purser.raiseLimit", node);
  if (choice === open) await vscode.commands.executeCommand("purser.budgets.focus");
  if (choice === mute) await mutes.mute(project, convoy.convoyId, true);
}

const maxBranchLength = 60;
/** Set when the user wants no more offers. */
const unwantedKey = "budgetOffersUnwanted";

/** Offers a budget when several agents work on a branch without a limit: once per branch, across all windows. */
export function registerBudgetOffers(context: BudgetsContext): Disposable {
  const { services, feed } = context;
  /** The service keeps the permanent record; this only avoids asking it again with every change of a session. */
  const asked = new Set<string>();
  const check = () => {
    if (!readViewSettings().warnings) return;
    if (services.context.globalState.get(unwantedKey) === true) return;
    for (const agents of companionAgents(services.sessions.live, feed.projects ?? [], Date.now())) {
      const { project, folder, branch, sessionIds, convoyIds } = agents;
      const key = JSON.stringify([project, branch, convoyIds]);
      if (asked.has(key)) continue;
      asked.add(key);
      void services.service
        .ask("budgetOffer", { folder, branch, sessionIds: [...sessionIds] })
        .then((answer) => {
          if (!answer.ok) asked.delete(key);
          return answer.ok && answer.value.isFirst ? offer(context, agents) : undefined;
        })
        .catch((error: unknown) => services.log.error(String(error)));
    }
  };
  check();
  return vscode.Disposable.from(services.sessions.onChange(check), feed.onChange(check));
}

async function offer({ services }: BudgetsContext, agents: CompanionAgents): Promise<void> {
  const { folder, branch, count } = agents;
  const create = t("Create Budget…");
  const never = t("Don't Offer Again");
  const where = branch === null ? t("here") : t("on {0}", inMessage(branch, maxBranchLength));
  const message = t("{0} agents are at work {1} without a budget.", count, where);
  services.log.info(`Budget offered: ${message}`);
  const choice = await vscode.window.showInformationMessage(message, create, never);
  if (choice === create) await vscode.commands.executeCommand("purser.createBudget", { folder, branch });
  if (choice === never) await services.context.globalState.update(unwantedKey, true);
}
