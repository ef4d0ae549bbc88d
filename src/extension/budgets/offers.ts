import * as vscode from "vscode";
import type { Disposable } from "../../engine/base/events.ts";
import { companionAgents, type CompanionAgents } from "./companions.ts";
import type { BudgetsContext } from "./budgets-context.ts";
import { inMessage } from "../editor/outside-text.ts";
import { readViewSettings } from "../editor/settings.ts";

const { t } = vscode.l10n;
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
