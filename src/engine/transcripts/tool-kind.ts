/** What a tool does, whatever it is called. */
export type ToolKind = "read" | "search" | "list" | "command" | "edit" | "other";

/** Tools of Claude Code, and of Codex (the names in lower case). */
const kinds: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  NotebookRead: "read",
  Grep: "search",
  Glob: "search",
  LS: "list",
  Bash: "command",
  PowerShell: "command",
  shell: "command",
  local_shell: "command",
  exec_command: "command",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  apply_patch: "edit",
};

export function toolKind(tool: string): ToolKind {
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other";
}
