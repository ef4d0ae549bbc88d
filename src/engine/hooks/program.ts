/** The agents that call hooks, by the names that the ledger gives them. */
export const hookPrograms = ["claude-code", "codex", "copilot"] as const;
export type HookProgram = (typeof hookPrograms)[number];

/** The path of the address that an agent of this kind posts its hooks to. */
export function hookPath(program: HookProgram): string {
  return `/hook/${program}`;
}

/** Undefined for a path that hooks are not posted to. */
export function programOfPath(path: string): HookProgram | undefined {
  return hookPrograms.find((program) => hookPath(program) === path);
}

/**
 * Two headers say what of a session no hook's body does, as the agent's environment has it: whether agents of a team may write to each
 * other, and how it was entered, which tells whether somebody attends it. In lower case, as Node reads them.
 */
export const teamsHeader = "x-purser-teams";
export const entryHeader = "x-purser-entry";

/** The variables of Claude Code's that these headers tell. */
export const toldVariables = {
  [teamsHeader]: "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS",
  [entryHeader]: "CLAUDE_CODE_ENTRYPOINT",
} as const;
