/** What a tool does, whatever it is called. */
export type ToolKind = "read" | "search" | "list" | "command" | "edit" | "other";

/** Tools of Claude Code (capital names); and of Codex, Copilot CLI, Gemini CLI and VS Code's own chat. */
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
  bash: "command",
  powershell: "command",
  run_shell_command: "command",
  run_in_terminal: "command",
  runTerminalCommand: "command",
  view: "read",
  read_file: "read",
  readFile: "read",
  grep: "search",
  rg: "search",
  glob: "search",
  grep_search: "search",
  file_search: "search",
  search_file_content: "search",
  list_directory: "list",
  list_dir: "list",
  create: "edit",
  edit: "edit",
  str_replace: "edit",
  write_file: "edit",
  replace: "edit",
  create_file: "edit",
  replace_string_in_file: "edit",
  insert_edit_into_file: "edit",
  createFile: "edit",
  editFiles: "edit",
};

export function toolKind(tool: string): ToolKind {
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other";
}
