const programs: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  copilot: "GitHub Copilot",
  gemini: "Gemini CLI",
};

/** The name of a coding agent, if it is one we know. */
export function programName(program: string): string {
  return programs[program] ?? program;
}

/** An agent of Claude Code goes by its name; another program's is told with whose it is. */
export function agentInWords({
  agent,
  program,
}: {
  readonly agent: string;
  readonly program: string;
}): string {
  return program === "claude-code" ? agent : `${agent} (${programName(program)})`;
}
