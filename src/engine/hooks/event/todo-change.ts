import { isObject } from "../../base/parse.ts";
import { scrubLine } from "../../base/scrub.ts";
import { objectAt, objectsAt, textAt } from "../../transcripts/claude.ts";

interface Todo {
  readonly text: string;
  readonly isDone: boolean;
}

/** The effect of a call on the list: it replaces all of it, adds one, or changes one. */
export type TodoChange =
  | { readonly kind: "all"; readonly todos: readonly Todo[] }
  | { readonly kind: "new"; readonly text: string }
  | { readonly kind: "changed"; readonly id: string; readonly status: string };

/** Characters. */
const maxLength = 200;

/** Returns how a call changes the agent's list; null for every other call. Claude Code, Codex, Copilot CLI, Gemini CLI. */
export function todoChange(tool: string, input: unknown): TodoChange | null {
  if (!isObject(input)) return null;
  switch (tool) {
    case "TodoWrite":
    case "update_plan":
    case "write_todos":
    case "manage_todo_list":
    case "update_todo": {
      const list = listIn(input);
      if (list !== null) return { kind: "all", todos: todosIn(list) };
      // VS Code also reads its list with the tool that writes it.
      return typeof input["todos"] === "string" ? { kind: "all", todos: checklist(input["todos"]) } : null;
    }
    case "TaskCreate": {
      const text = plain(textAt(input, "subject") ?? textAt(input, "description"));
      return text === "" ? null : { kind: "new", text };
    }
    case "TaskUpdate": {
      const [id, status] = [textAt(input, "taskId"), textAt(input, "status")];
      return id === null || status === null ? null : { kind: "changed", id, status };
    }
    default:
      return null;
  }
}

function listIn(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] | null {
  const name = ["todos", "plan", "todoList"].find((each) => Array.isArray(input[each]));
  return name === undefined ? null : objectsAt(input, name);
}

function todosIn(list: readonly Readonly<Record<string, unknown>>[]): Todo[] {
  return list.flatMap((item) => {
    const text = plain(
      textAt(item, "content") ?? textAt(item, "step") ?? textAt(item, "description") ?? textAt(item, "title"),
    );
    const status = textAt(item, "status") ?? "";
    return text === "" || isDropped(status) ? [] : [{ text, isDone: isDone(status) }];
  });
}

export function unfinishedIn(input: unknown): number | null {
  if (!isObject(input)) return null;
  if (typeof input["todos"] === "string")
    return checklist(input["todos"]).filter(({ isDone: done }) => !done).length;
  const list = listIn(input);
  if (list === null) return null;
  return list.filter((item) => {
    const status = textAt(item, "status") ?? "";
    return status !== "" && !isDone(status) && !isDropped(status);
  }).length;
}

/** A list in Markdown: `- [x] text`. */
function checklist(text: string): Todo[] {
  return text.split("\n").flatMap((line) => {
    const found = /^\s*[-*] \[(?<mark>[ xX~-])\] (?<text>.+)$/u.exec(line)?.groups;
    const item = plain(found?.["text"] ?? null);
    return item === "" ? [] : [{ text: item, isDone: found?.["mark"]?.toLowerCase() === "x" }];
  });
}

/** Returns the tasks on Claude Code's list after a call. Null if the result does not list them. */
export function listedTasks(tool: string, response: unknown): { id: string; isOpen: boolean }[] | null {
  if (tool !== "TaskList" || !isObject(response) || !Array.isArray(response["tasks"])) return null;
  return objectsAt(response, "tasks").flatMap((task) => {
    const [id, status] = [textAt(task, "id"), textAt(task, "status") ?? ""];
    return id === null ? [] : [{ id, isOpen: !isDone(status) && !isDropped(status) }];
  });
}

/**
 * Returns the number of a created task, from the result in a hook or a transcript. Null if the result has
 * none.
 */
export function madeTask(response: unknown): string | null {
  if (isObject(response)) return textAt(objectAt(response, "task"), "id");
  const text = typeof response === "string" ? response : "";
  return /^Task #(?<id>\S{1,100}) created\b/u.exec(text)?.groups?.["id"] ?? null;
}

/**
 * Whether a call's result shows that it changed nothing. For an unknown task the agent returns an ordinary
 * result.
 */
export function wasRefused(tool: string, response: unknown): boolean {
  if (isObject(response))
    return (
      response["success"] === false ||
      response["isError"] === true ||
      (typeof response["error"] === "string" && response["error"] !== "") ||
      isObject(response["error"])
    );
  if (typeof response !== "string") return false;
  if (tool === "TaskUpdate") return response !== "" && !response.startsWith("Updated task");
  return /^(?:<tool_use_error>|Error\b|\w*Error:)/u.test(response.trimStart());
}

export function isDone(status: string): boolean {
  return /^(?:completed|done|finished)$/u.test(status);
}

export function isDropped(status: string): boolean {
  return /^(?:deleted|cancelled|canceled)$/u.test(status);
}

function plain(text: string | null): string {
  return scrubLine(text ?? "", 8 * maxLength).slice(0, maxLength);
}
