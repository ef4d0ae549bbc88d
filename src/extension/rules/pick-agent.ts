import * as vscode from "vscode";
import { agentOffers, type AgentOrigin } from "../../engine/rules/agent-offers.ts";
import { isAgentName } from "../../engine/rules/propose.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import { pickStep } from "../editor/pick-step.ts";

const { t } = vscode.l10n;
const longest = 100;

interface AgentItem extends vscode.QuickPickItem {
  readonly name: string;
}

/** Asks for one of the known agents, or any other by typing its name. */
export async function pickAgent(
  title: string,
  placeholder: string,
  known: Readonly<Record<AgentOrigin, readonly string[]>>,
): Promise<string | undefined> {
  const offers = agentOffers(known);
  const item = (name: string, description: string): AgentItem => ({
    label: withoutIcons(name, longest),
    description,
    name,
    alwaysShow: description === "",
  });
  const stepped = await pickStep<AgentItem>({
    title,
    placeholder,
    step: 1,
    totalSteps: 1,
    items: offers.map(({ name, from }) => item(name, from.map(describeOrigin).join(", "))),
    typed: (text) =>
      !isAgentName(text) || offers.some(({ name }) => name === text) ? undefined : item(text, ""),
  });
  return stepped.kind === "chosen" ? stepped.items[0]?.name : undefined;
}

function describeOrigin(origin: AgentOrigin): string {
  switch (origin) {
    case "rules":
      return t("has rules");
    case "golden":
      return t("comes with golden tasks");
    case "own":
      return t("your own");
  }
}
