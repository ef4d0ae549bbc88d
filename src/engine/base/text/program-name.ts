const programs: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
  gemini: "Gemini CLI",
};

/** Returns the name a coding agent is sold under; one without a line here keeps the name of its adapter. */
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
