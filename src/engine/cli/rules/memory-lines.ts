import { t } from "../../base/language.ts";
import { cleanText } from "../../base/text.ts";
import { whyNoMemory, describeNeed, agentDefinitions, agentFolders } from "../../rules/agent-definition.ts";
import type { MemoryView, RuleView } from "../../rules/answers.ts";
import type { CliHost } from "../cli-ports.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { ruleLine } from "./print-rules.ts";
import { said } from "../language/said.ts";

/** Empty if the agent reads its memory. */
export async function unreachedLine(
  agent: string,
  host: Pick<CliHost, "env" | "home" | "cwd">,
): Promise<string> {
  const definitions = await agentDefinitions(agentFolders([host.cwd], claudeRoot(host)));
  const why = whyNoMemory(agent, definitions);
  return why === null ? "" : `${t("No rule reaches {0}.", cleanText(agent))} ${said(describeNeed(why))}\n`;
}

export function lettingInLines(rule: RuleView, memories: readonly MemoryView[]): string {
  const memory = memories.find(({ agent }) => agent === rule.agent);
  if (rule.status !== "measured" || memory === undefined) return "";
  const isTheirs = memory.state === "foreign" || memory.state === "edited";
  const [command, file] = [`purser rules approve ${rule.id}`, cleanText(memory.file)];
  const what = isTheirs
    ? t(
        "{0} writes this line into {1}; it was changed since purser wrote it, so it is kept until purser memory compile --replace:",
        command,
        file,
      )
    : t("{0} writes this line into {1}:", command, file);
  return `${what}\n  - ${ruleLine(rule)}\n`;
}
