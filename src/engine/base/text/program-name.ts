const programs: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
  gemini: "Gemini CLI",
};

/** Returns the display name of a coding agent, or the name of its adapter if it has none. */
export function programName(program: string): string {
  return programs[program] ?? program;
}

/**
 * Returns a Claude Code agent's name; another program's agent is shown with its program.
 */
export function describeAgent({
  agent,
  program,
}: {
  readonly agent: string;
  readonly program: string;
}): string {
  return program === "claude-code" ? agent : `${agent} (${programName(program)})`;
}
