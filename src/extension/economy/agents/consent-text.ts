import { aboutDollars, wholeNumber } from "../../../engine/base/local-format.ts";
import { cleanText, shorten } from "../../../engine/base/text.ts";
import type { WakePlanView } from "../../../engine/recurring/answers.ts";
import type { RecurringAgent } from "../../../engine/recurring/agents.ts";
import type { Translate } from "../../editor/describe-editor.ts";
import { programText, reasonText } from "./describe-economy-agents.ts";

const [maxNameLength, maxListLength, maxCheckLength] = [80, 300, 300];

/** Returns the question before a wake: one line each of the plan and its price, and the permissions agreed to where they are new. */
export function consentText(plan: WakePlanView, agent: RecurringAgent, t: Translate): string {
  const { task, session, tokens, most, usd, isAgreed } = plan;
  const shown = (text: string, length = maxNameLength) => shorten(cleanText(text), length);
  const price = usd === null ? t("price unknown") : aboutDollars(usd);
  const lines = [
    `${programText(plan.program)}, ${shown(plan.model)}`,
    session === null
      ? capitalized(reasonText(plan, t))
      : t("Goes on with its session: wake {0} of it", session.wakes + 1),
    task === null ? t("No task") : t("Task {0}: {1}", shown(task.id), shown(task.title)),
    tokens === null
      ? t("At most {0} new tokens; {1}, as no wake like it is known", wholeNumber(most), price)
      : t("About {0} new tokens, at most {1}; {2}", wholeNumber(tokens), wholeNumber(most), price),
  ];
  if (!isAgreed)
    lines.push("", t("You have not agreed to its file as it is now. By it, the agent:"), ...grants(agent, t));
  if (task !== null && task.check !== null && !task.isCheckAgreed)
    lines.push(
      "",
      t("When the agent hands the task in, this command checks it: {0}", shown(task.check, maxCheckLength)),
    );
  return lines.join("\n");
}

/** Describes the permissions in an agent's file. */
function grants(agent: RecurringAgent, t: Translate): string[] {
  const { tools, permissions, folder, tasks, schedule, skills, mcp } = agent;
  const listed = (names: readonly string[]) => shorten(cleanText(names.join(", ")), maxListLength);
  return [
    folder === "."
      ? t("works in the project's folder")
      : t("works in {0}", shorten(cleanText(folder), maxNameLength)),
    tools === "all" ? t("has all tools") : t("has the tools {0}", listed(tools)),
    ...(permissions.allow.length === 0 ? [] : [t("may also use {0}", listed(permissions.allow))]),
    ...(permissions.network ? [t("may reach the network")] : []),
    ...(skills === "all"
      ? [t("has all skills")]
      : skills.length === 0
        ? []
        : [t("has the skills {0}", listed(skills))]),
    ...(mcp.length === 0 ? [] : [t("has the MCP servers {0}", listed(mcp))]),
    ...(tasks === "folder"
      ? []
      : [t("gets its tasks from the command {0}", listed([tasks.command.join(" ")]))]),
    ...(schedule === undefined
      ? []
      : [t("may be woken unattended, at {0}", shorten(cleanText(schedule), maxNameLength))]),
  ].map((line) => `• ${line}`);
}

/** The button that spends, with its price. */
export function wakeButton({ usd }: WakePlanView, t: Translate): string {
  return usd === null ? t("Wake") : t("Wake · {0}", aboutDollars(usd));
}

function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
