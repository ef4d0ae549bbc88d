import { cleanText } from "../../base/text/text.ts";
import { agentDefinitions, agentFolders } from "../../rules/agent-definition.ts";
import { needInWords, whyNoMemory } from "../../rules/needs.ts";
import type { MemoryView, RuleView } from "../../rules/answers.ts";
import type { CliHost } from "../ports.ts";
import { claudeRoot } from "../../transcripts/claude/roots.ts";
import { ruleLine } from "./print.ts";

/** That an agent does not read what its rules are compiled into, and what to do about it; empty where it does. */
export async function unreachedLine(
  agent: string,
  host: Pick<CliHost, "env" | "home" | "cwd">,
): Promise<string> {
  const definitions = await agentDefinitions(agentFolders([host.cwd], claudeRoot(host)));
  const why = whyNoMemory(agent, definitions);
  return why === null ? "" : `No rule reaches ${cleanText(agent)}. ${cleanText(needInWords(why))}\n`;
}

/** Which file gets which line when a rule that passed is let in. */
export function lettingInLines(rule: RuleView, memories: readonly MemoryView[]): string {
  const memory = memories.find(({ agent }) => agent === rule.agent);
  if (rule.status !== "measured" || memory === undefined) return "";
  const isTheirs = memory.state === "foreign" || memory.state === "edited";
  const left = isTheirs
    ? "; it is not as purser wrote it, and left until purser memory compile --replace"
    : "";
  return `purser rules approve ${rule.id} writes this line into ${cleanText(memory.file)}${left}:\n  - ${ruleLine(rule)}\n`;
}
