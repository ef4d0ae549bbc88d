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
