import type { AgentName } from "../transcripts/agents.ts";

/** The agents that purser's hooks can be installed for, by their names in the ledger. */
export const hookPrograms = [
  "claude-code",
  "codex",
  "copilot",
  "gemini",
] as const satisfies readonly AgentName[];
export type HookProgram = (typeof hookPrograms)[number];

/** The programs that run hooks. VS Code's own chat runs those that are installed for Copilot CLI, and for Claude Code. */
export const hookCallers = [...hookPrograms, "vscode"] as const;
export type HookCaller = (typeof hookCallers)[number];

/** URL path to which this program's hooks are posted. */
export function hookPath(caller: HookCaller): string {
  return `/hook/${caller}`;
}

/** Returns undefined for a path that takes no hooks. */
export function callerOfPath(path: string): HookCaller | undefined {
  return hookCallers.find((caller) => hookPath(caller) === path);
}

/**
 * Two headers carry facts from the agent's environment that no hook body has: whether agents of a team can message each other, and how
 * the session was entered, which shows whether somebody attends it. Lower case, as Node presents header names.
 */
export const teamsHeader = "x-purser-teams";
export const entryHeader = "x-purser-entry";

/**
 * Whether somebody sees the agent's questions, by how the session was entered: `sdk-cli` is `claude -p`; a program built on the agent's SDK
 * may or may not ask its user. Other entries are terminals and editors.
 */
export function isAttended(entry: string | undefined): boolean {
  return entry?.startsWith("sdk") !== true;
}

/** The environment variables of Claude Code whose values these headers carry. */
export const forwardedVariables = {
  [teamsHeader]: "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
  [entryHeader]: "CLAUDE_CODE_ENTRYPOINT",
} as const;
