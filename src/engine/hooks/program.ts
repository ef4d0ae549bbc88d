/** The agents that call hooks, by their names in the ledger. */
export const hookPrograms = ["claude-code", "codex", "copilot"] as const;
export type HookProgram = (typeof hookPrograms)[number];

/** URL path to which this agent posts its hooks. */
export function hookPath(program: HookProgram): string {
  return `/hook/${program}`;
}

/** Returns undefined for a path that takes no hooks. */
export function programOfPath(path: string): HookProgram | undefined {
  return hookPrograms.find((program) => hookPath(program) === path);
}

/**
 * Two headers carry facts from the agent's environment that no hook body has: whether agents of a team can message each other, and how
 * the session was entered, which shows whether somebody attends it. Lower case, as Node presents header names.
 */
export const teamsHeader = "x-purser-teams";
export const entryHeader = "x-purser-entry";

/** The environment variables of Claude Code whose values these headers carry. */
export const forwardedVariables = {
  [teamsHeader]: "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
  [entryHeader]: "CLAUDE_CODE_ENTRYPOINT",
} as const;
