import { cleanText } from "../../base/text/text.ts";
import { isObject, objectsAt, textAt } from "../../transcripts/claude/row-fields.ts";

/** An item of an agent's own list of what is to be done. */
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
const longest = 200;

/** Returns how a call changes the agent's list; null for every other call. Claude Code, Codex, Copilot CLI, Gemini CLI. */
export function todoChange(tool: string, input: unknown): TodoChange | null {
  if (!isObject(input)) return null;
  switch (tool) {
    case "TodoWrite":
    case "update_plan":
    case "write_todos":
    case "manage_todo_list":
      return { kind: "all", todos: todosIn(input) };
    case "update_todo":
      return typeof input["todos"] === "string"
        ? { kind: "all", todos: checklist(input["todos"]) }
        : { kind: "all", todos: todosIn(input) };
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

function todosIn(input: Readonly<Record<string, unknown>>): Todo[] {
  const items = ["todos", "plan", "todoList"].map((name) => objectsAt(input, name));
  const list = items.find((each) => each.length > 0) ?? [];
  return list.flatMap((item) => {
    const text = plain(
      textAt(item, "content") ?? textAt(item, "step") ?? textAt(item, "description") ?? textAt(item, "title"),
    );
    const status = textAt(item, "status") ?? "";
    return text === "" || isDropped(status) ? [] : [{ text, isDone: isDone(status) }];
  });
}

/** A list in Markdown: `- [x] text`. */
function checklist(text: string): Todo[] {
  return text.split("\n").flatMap((line) => {
    const found = /^\s*[-*] \[(?<mark>[ xX~-])\] (?<text>.+)$/u.exec(line)?.groups;
    const item = plain(found?.["text"] ?? null);
    return item === "" ? [] : [{ text: item, isDone: found?.["mark"]?.toLowerCase() === "x" }];
  });
}

export function isDone(status: string): boolean {
  return /^(?:completed|done|finished)$/u.test(status);
}

export function isDropped(status: string): boolean {
  return /^(?:deleted|cancelled|canceled)$/u.test(status);
}

function plain(text: string | null): string {
  return cleanText((text ?? "").slice(0, 4 * longest)).slice(0, longest);
}
