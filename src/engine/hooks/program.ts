import type { AgentName } from "../transcripts/agents.ts";

/** The agents that purser's hooks can be installed for, by their names in the ledger. */
export const hookPrograms = [
  "claude-code",
  "codex",
  "copilot",
  "gemini",
] as const satisfies readonly AgentName[];
export type HookProgram = (typeof hookPrograms)[number];

/** Programs that run hooks. VS Code's own chat runs those installed for Copilot CLI, and for Claude Code. */
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
 * Two headers carry facts from the agent's environment that no hook body has: whether team agents can message
 * each other, and how the session was started, which shows whether it is attended. Lower case, as Node
 * presents header names.
 */
export const teamsHeader = "x-purser-teams";
export const entryHeader = "x-purser-entry";

/**
 * Whether a person sees the agent's questions, from how the session was started. `sdk-cli` is `claude -p`; a
 * program built on the agent's SDK may or may not ask its user. Other values are terminals and editors.
 */
export function isAttended(entry: string | undefined): boolean {
  return entry?.startsWith("sdk") !== true;
}

/** Environment variables of Claude Code that are sent in these headers. */
export const forwardedVariables = {
  [teamsHeader]: "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
  [entryHeader]: "CLAUDE_CODE_ENTRYPOINT",
} as const;
