import * as z from "zod";

/** A tool that was used. */
export interface UsedTool {
  readonly name: string;
  readonly input: unknown;
}

/** More are as good as these. */
const mostKept = 200;
/** A longer name is cut: it is only shown. Characters. */
const longestName = 500;
const names = z.array(z.string().max(longestName)).max(mostKept);

export const openWork = z.object({
  /** Of a list that is written as a whole. */
  todos: z.int().nonnegative(),
  /** Of a list whose tasks come and go one by one: how many were made, and which are done with. */
  made: z.int().nonnegative(),
  closed: names,
  /** Files that were edited, and no command was run since that could have shown whether they work. */
  unverified: names,
});
/** What an agent has begun and, as far as its tools tell, not finished. */
export type OpenWork = Readonly<z.infer<typeof openWork>>;

export const noWork: OpenWork = { todos: 0, made: 0, closed: [], unverified: [] };

const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"]);
const commands = new Set(["Bash", "PowerShell", "shell", "local_shell", "exec_command"]);
/** Text is verified by reading it. */
const prose = /\.(?:md|mdx|txt|rst|adoc)$/iu;
/** Commands that only look around, or put things away. */
const idle =
  /^\s*(?:cd\s[^&;|]*(?:&&|;)\s*)?(?:git|ls|cat|head|tail|grep|rg|find|pwd|echo|mkdir|touch|cp|mv|rm|which)\b[^&;|]*$/u;
/** The work after a tool was used. */
export function afterTool(work: OpenWork, { name, input }: UsedTool): OpenWork {
  if (name === "TodoWrite" || name === "update_plan") return { ...work, todos: unfinished(input) };
  if (name === "TaskCreate") return { ...work, made: work.made + 1 };
  if (name === "TaskUpdate") return closing(work, input);
  if (edits.has(name)) {
    const file = textIn(input, "file_path") ?? textIn(input, "notebook_path") ?? "a file";
    return prose.test(file) ? work : { ...work, unverified: withName(work.unverified, file) };
  }
  const isLook = name.startsWith("mcp__") && /diagnostics|test|build|lint/iu.test(name);
  if (isLook || (commands.has(name) && !idle.test(textIn(input, "command") ?? "")))
    return { ...work, unverified: noWork.unverified };
  return work;
}

/** Todos that are not done. */
export function openTodos({ todos, made, closed }: OpenWork): number {
  return todos + Math.max(0, made - closed.length);
}

function closing(work: OpenWork, input: unknown): OpenWork {
  const [id, status] = [textIn(input, "taskId"), textIn(input, "status")];
  if (id === null || status === null) return work;
  if (status === "completed" || status === "deleted") return { ...work, closed: withName(work.closed, id) };
  const name = id.slice(0, longestName);
  return { ...work, closed: work.closed.filter((each) => each !== name) };
}

function withName(held: OpenWork["closed"], told: string): OpenWork["closed"] {
  const name = told.slice(0, longestName);
  return held.includes(name) || held.length >= mostKept ? held : [...held, name];
}

function unfinished(input: unknown): number {
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
