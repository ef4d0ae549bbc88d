import { AgentDisplayNames } from "../base/text/agent-display-names.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claudeCode } from "./claude/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { copilot } from "./copilot/adapter.ts";
import { gemini } from "./gemini/adapter.ts";
import type { HomeInput } from "./home-folder.ts";

/** Every agent whose sessions are read. */
export const agents = [claudeCode, codex, copilot, gemini] as const satisfies readonly AgentAdapter[];

export type AgentName = (typeof agents)[number]["name"];

/** Marked as pure, so that programs that show no names hold none. */
export const agentNames = /* @__PURE__ */ new AgentDisplayNames(agents);

/** Every folder in which an agent may keep sessions. They need not exist. */
export function agentRoots(input: HomeInput): string[] {
  return agents.flatMap(({ roots }) => roots(input));
}
