import { toolKind, type ToolKind } from "../../transcripts/tool-kind.ts";

/** What an agent asks of a tool. Texts are the agent's own: data, and as long as it likes. */
export type ToolCall = { readonly tool: string } & (
  | { readonly kind: "command"; readonly command: string | null }
  | { readonly kind: "edit"; readonly file: string | null }
  /** Begins a subagent. */
  | { readonly kind: "spawn"; readonly agentType: string; readonly name: string | null }
  /** To another agent. Null for what is none: part of the agent's own protocol (to end, to approve a plan). */
  | { readonly kind: "message"; readonly message: { readonly to: string; readonly text: string } | null }
  /** Writes its list of todos as a whole. `unfinished` is how many are not done. */
  | { readonly kind: "todos"; readonly unfinished: number }
  | { readonly kind: "new-task" }
  | { readonly kind: "changed-task"; readonly taskId: string | null; readonly status: string | null }
  | { readonly kind: Exclude<ToolKind, "command" | "edit"> }
);

interface ToolUse {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
}

/** What an agent begins that no type was told for. */
const usualAgent = "general-purpose";
/** Nobody has a longer type. Characters. */
const longestType = 200;

/** The one door for what hooks tell of a tool's use: whatever it holds, a call comes of it. */
export function toolCallOf({ tool_name: tool = "", tool_input: input }: ToolUse): ToolCall {
  switch (tool) {
    // Older versions of Claude Code call the first one Task.
    case "Agent":
    case "Task":
      return { tool, kind: "spawn", agentType: agentTypeIn(input), name: textIn(input, "name") };
    case "SendMessage":
      return { tool, kind: "message", message: messageIn(input) };
    case "TodoWrite":
    case "update_plan":
      return { tool, kind: "todos", unfinished: unfinishedIn(input) };
    case "TaskCreate":
      return { tool, kind: "new-task" };
    case "TaskUpdate":
      return { tool, kind: "changed-task", taskId: textIn(input, "taskId"), status: textIn(input, "status") };
    default:
      return usualCall(tool, input);
  }
}

function usualCall(tool: string, input: unknown): ToolCall {
  const kind = toolKind(tool);
  if (kind === "command") return { tool, kind, command: textIn(input, "command") };
  if (kind !== "edit") return { tool, kind };
  return { tool, kind, file: textIn(input, "file_path") ?? textIn(input, "notebook_path") };
}

function agentTypeIn(input: unknown): string {
  const type = textIn(input, "subagent_type");
  return type === null || type.length > longestType ? usualAgent : type;
}

/** The tool has had other names for its parts; those that are told for old hooks only come second. */
function messageIn(input: unknown): Extract<ToolCall, { kind: "message" }>["message"] {
  const [to, text] = [memberOf(input, "to"), memberOf(input, "message")];
  const whom = typeof to === "string" ? to : textIn(input, "recipient");
  return whom === null || whom === "" || typeof text !== "string" ? null : { to: whom, text };
}

function unfinishedIn(input: unknown): number {
  const list = memberOf(input, "todos") ?? memberOf(input, "plan");
  if (!Array.isArray(list)) return 0;
  return list.filter((todo: unknown) => {
    const status = textIn(todo, "status");
    return status === "pending" || status === "in_progress";
  }).length;
}

function textIn(value: unknown, name: string): string | null {
  const text = memberOf(value, name);
  return typeof text === "string" && text !== "" ? text : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
