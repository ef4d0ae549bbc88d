import { claudeRoots } from "./claude/roots.ts";
import { codexRoots } from "./codex/roots.ts";
import { copilotRoots } from "./copilot/roots.ts";
import { geminiRoots } from "./gemini/roots.ts";
import type { HomeInput } from "./home-folder.ts";

/** A coding agent whose sessions are read. */
interface AgentAdapter {
  /** The agent's name in the ledger and in `purser usage --agent`. */
  readonly name: string;
  /** The folders that hold its sessions. They need not exist. */
  readonly roots: (input: HomeInput) => readonly string[];
}

/** Every agent whose sessions are read. */
export const agents = [
  { name: "claude-code", roots: claudeRoots },
  { name: "codex", roots: codexRoots },
  { name: "copilot", roots: copilotRoots },
  { name: "gemini", roots: geminiRoots },
] as const satisfies readonly AgentAdapter[];

export type AgentName = (typeof agents)[number]["name"];

/** Every folder in which an agent may keep sessions. They need not exist. */
export function agentRoots(input: HomeInput): string[] {
  return agents.flatMap(({ roots }) => roots(input));
}
