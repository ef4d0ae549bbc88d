import type * as vscode from "vscode";
import { agentOffers, type AgentOrigin } from "../../engine/rules/agent-definition.ts";
import { isAgentName } from "../../engine/rules/distil.ts";
import { withoutIcons } from "../editor/outside-text.ts";
import type { Translate } from "../editor/describe-editor.ts";
import type { Step, Stepped } from "../editor/pick.ts";

const maxLength = 100;

export interface AgentItem extends vscode.QuickPickItem {
  readonly name: string;
}

interface PickPorts {
  readonly t: Translate;
  /** See `pickStep`. */
  readonly pick: (asked: Step<AgentItem>) => Promise<Stepped<AgentItem>>;
}

interface AgentQuestion {
  readonly title: string;
  readonly placeholder: string;
  readonly known: Readonly<Record<AgentOrigin, readonly string[]>>;
}

/** Asks for one of the known agents, or any other by typing its name. Undefined when nothing is chosen. */
export async function pickAgent(
  { title, placeholder, known }: AgentQuestion,
  { t, pick }: PickPorts,
): Promise<string | undefined> {
  const offers = agentOffers(known);
  const item = (name: string, description: string): AgentItem => ({
    label: withoutIcons(name, maxLength),
    description,
    name,
    alwaysShow: description === "",
  });
  const stepped = await pick({
    title,
    placeholder,
    canGoBack: false,
    items: offers.map(({ name, from }) =>
      item(name, from.map((origin) => describeOrigin(origin, t)).join(", ")),
    ),
    typed: (text) =>
      !isAgentName(text) || offers.some(({ name }) => name === text) ? undefined : item(text, ""),
  });
  return stepped.kind === "chosen" ? stepped.items[0]?.name : undefined;
}

function describeOrigin(origin: AgentOrigin, t: Translate): string {
  switch (origin) {
    case "rules":
      return t("has rules");
    case "golden":
      return t("comes with golden tasks");
    case "own":
      return t("your own");
  }
}
