import { toolKind, type ToolKind } from "../../transcripts/tool-kind.ts";
import { unfinishedIn } from "./todo-change.ts";

/** One tool call of an agent. Its texts are the agent's own: data, of any length. */
export type ToolCall = { readonly tool: string } & (
  | { readonly kind: "command"; readonly command: string | null }
  /** `text` is the written text, and `removed` the text it replaces, as far as the call has them. */
  | {
      readonly kind: "edit";
      readonly file: string | null;
      readonly text: string | null;
      readonly removed?: string;
    }
  | { readonly kind: "read"; readonly file: string | null }
  | { readonly kind: "spawn"; readonly agentType: string; readonly name: string | null }
  /**
   * Sends a message to another agent. Null if part of the agent's own protocol (to end, to approve a plan).
   */
  | { readonly kind: "message"; readonly message: { readonly to: string; readonly text: string } | null }
  /** Replaces the whole todo list. `unfinished` counts the todos that are not done. */
  | { readonly kind: "todos"; readonly unfinished: number }
  | { readonly kind: "new-task" }
  | { readonly kind: "changed-task"; readonly taskId: string | null; readonly status: string | null }
  | { readonly kind: Exclude<ToolKind, "command" | "edit" | "read"> }
);

interface ToolUse {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
}

/** Type of a subagent that is started without one. */
const usualAgent = "general-purpose";
/** Maximum length of an agent type. Characters. */
const maxTypeLength = 200;

/** Converts what a hook reports about a tool's use into a call: the only entry point, which never fails. */
export function toolCallOf({ tool_name: tool = "", tool_input: input }: ToolUse): ToolCall {
  switch (tool) {
    // Older versions of Claude Code name the Agent tool Task.
    case "Agent":
    case "Task":
      return { tool, kind: "spawn", agentType: agentTypeIn(input), name: textIn(input, "name") };
    case "SendMessage":
      return { tool, kind: "message", message: messageIn(input) };
    case "TodoWrite":
    case "update_plan":
    case "write_todos":
    case "manage_todo_list":
    case "update_todo": {
      const unfinished = unfinishedIn(input);
      return unfinished === null ? { tool, kind: "other" } : { tool, kind: "todos", unfinished };
    }
    case "TaskCreate":
      return { tool, kind: "new-task" };
    case "TaskUpdate":
      return { tool, kind: "changed-task", taskId: textIn(input, "taskId"), status: textIn(input, "status") };
    default:
      return usualCall(tool, input);
  }
}

/** The names under which agents' tools take the file that they read or edit. */
const fileMembers = ["file_path", "notebook_path", "filePath", "path"];

function usualCall(tool: string, input: unknown): ToolCall {
  const kind = toolKind(tool);
  if (kind === "command") return { tool, kind, command: textIn(input, "command") };
  if (kind === "read") return { tool, kind, file: firstText(input, fileMembers) };
  if (kind !== "edit") return { tool, kind };
  const patch = firstText(input, patchMembers);
  const file = firstText(input, fileMembers) ?? (patch === null ? null : patchedFile(patch));
  const text = writtenText(input) ?? patch;
  const removed = removedText(input) ?? (patch === null ? null : removedLines(patch));
  return { tool, kind, file, text, ...(removed === null ? {} : { removed }) };
}

/** The names under which agents' tools take the text that they write, and a whole patch. */
const textMembers = ["content", "new_string", "newString", "new_str", "file_text", "new_source", "code"];
const patchMembers = ["patch", "input", "command"];

/** The names under which they take the text that is replaced. */
const removedMembers = ["old_string", "oldString", "old_str", "old_source"];

const writtenText = (input: unknown): string | null => editedText(input, textMembers);

function removedText(input: unknown): string | null {
  const text = editedText(input, removedMembers);
  // Edits that only add have no such text.
  return text?.trim() === "" ? null : text;
}

/** Returns the text of an edit. Several edits are joined by line breaks. */
function editedText(input: unknown, members: readonly string[]): string | null {
  const edits = memberOf(input, "edits");
  if (!Array.isArray(edits)) return firstText(input, members);
  return edits.map((edit: unknown) => firstText(edit, members) ?? "").join("\n");
}

function removedLines(patch: string): string | null {
  const lines = patch.split("\n").filter((line) => /^-(?!--)/u.test(line));
  return lines.length === 0 ? null : lines.map((line) => line.slice(1)).join("\n");
}

/** Returns the first file that a patch in Codex's format changes. */
function patchedFile(patch: string): string | null {
  return /^\*\*\* (?:Add|Update|Delete) File: (?<file>.+)$/mu.exec(patch)?.groups?.["file"]?.trim() ?? null;
}

function firstText(input: unknown, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textIn(input, name);
    if (text !== null) return text;
  }
  return null;
}

function agentTypeIn(input: unknown): string {
  const type = textIn(input, "subagent_type") ?? textIn(input, "agent_type");
  return type === null || type.length > maxTypeLength ? usualAgent : type;
}

/** Agents still send the tool's old parameter `recipient`, only for old hooks, so it is read second. */
function messageIn(input: unknown): Extract<ToolCall, { kind: "message" }>["message"] {
  const [to, text] = [memberOf(input, "to"), memberOf(input, "message")];
  const whom = typeof to === "string" ? to : textIn(input, "recipient");
  return whom === null || whom === "" || typeof text !== "string" ? null : { to: whom, text };
}

function textIn(value: unknown, name: string): string | null {
  const text = memberOf(value, name);
  return typeof text === "string" && text !== "" ? text : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
