import { AgentDisplayNames } from "../base/local-format.ts";
import type { AgentAdapter } from "./adapter.ts";
import { claudeCode } from "./claude/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { copilot } from "./copilot/adapter.ts";
import { gemini } from "./gemini/adapter.ts";
import type { HomeInput } from "./home-folder.ts";
import { vscodeChat } from "./vscode-chat/adapter.ts";

export type { AgentAdapter } from "./adapter.ts";

export const agents = [
  claudeCode,
  codex,
  copilot,
  gemini,
  vscodeChat,
] as const satisfies readonly AgentAdapter[];

export type AgentName = (typeof agents)[number]["name"];

export function agentOf(name: AgentName): AgentAdapter {
  const found = agents.find((agent) => agent.name === name);
  if (found === undefined) throw new Error(`There is no agent ${JSON.stringify(name)}`);
  return found;
}

export const allAgentNames = agents.map(({ name }) => name);

/** Marked as pure, so that bundles that show no names leave them out. */
export const agentNames = /* @__PURE__ */ new AgentDisplayNames(agents);

/** A folder with an agent's sessions. It need not exist. */
export interface SessionRoot {
  readonly agent: AgentName;
  readonly path: string;
}

/**
 * Whether the ledger follows a root that only an editor's window knows: the editor's own chats, whose folder no
 * variable names. The window's variables for other agents apply to that window only.
 */
export function isRootOfEditor({ agent }: SessionRoot): boolean {
  return agent === vscodeChat.name;
}

/** The folders with sessions that are followed live. */
export function sessionRoots(input: HomeInput): SessionRoot[] {
  return agents.flatMap(({ name, roots }) => roots(input).map((path) => ({ agent: name, path })));
}

/** Every folder in which an agent may keep sessions. They need not exist. */
export function agentRoots(input: HomeInput): string[] {
  return agents.flatMap(({ roots }) => roots(input));
}

/** Returns the session whose agent started this program, from the agent's own variable; null where none is set. */
export function ownSession(
  env: Readonly<Record<string, string | undefined>>,
): { readonly agent: AgentName; readonly id: string } | null {
  for (const { name, sessionVariable } of agents) {
    const id = sessionVariable === null ? "" : (env[sessionVariable] ?? "");
    if (id !== "") return { agent: name, id };
  }
  return null;
}
