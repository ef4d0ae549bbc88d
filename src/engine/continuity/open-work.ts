import * as z from "zod/mini";
import {
  type ToolCall,
  toolCallOf,
  listedTasks,
  madeTask,
  wasRefused,
  isDone,
  isDropped,
} from "../hooks/event.ts";

/** Further names add nothing. */
const maxTasks = 200;
/** Longer names are cut: they are only compared. Characters. */
const maxNameLength = 500;
const names = z.array(z.string().check(z.maxLength(maxNameLength))).check(z.maxLength(maxTasks));

export const openWork = z.object({
  /** Unfinished todos of a list that is written as a whole. */
  todos: z.int().check(z.nonnegative()),
  /** Tasks of a list that changes one by one: those known to be open, and those that were closed. */
  open: names,
  closed: names,
  /** Number of other created tasks; their calls did not report a number. */
  unnamed: z.int().check(z.nonnegative()),
});
export type OpenWork = Readonly<z.infer<typeof openWork>>;

export const noWork: OpenWork = { todos: 0, open: [], closed: [], unnamed: 0 };

export interface EndedCall {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
}

/** Whether a call concerns the agent's own todo list. */
export function isAboutTodos(call: EndedCall): boolean {
  const { kind, tool } = toolCallOf(call);
  return kind === "todos" || kind === "new-task" || kind === "changed-task" || tool === "TaskList";
}

/**
 * Returns the open work after a tool call.
 * @param isOwn whether the session's main agent called it
 */
export function afterTool(work: OpenWork, ended: EndedCall, { isOwn }: { isOwn: boolean }): OpenWork {
  const { tool_name: tool = "", tool_response: response } = ended;
  if (wasRefused(tool, response)) return work;
  const listed = listedTasks(tool, response);
  if (listed !== null) return afterListing(work, listed);
  const call = toolCallOf(ended);
  // Each agent has its own todo list, which ends with the agent.
  if (call.kind === "todos") return isOwn ? { ...work, todos: call.unfinished } : work;
  if (call.kind === "new-task") {
    const id = madeTask(response);
    return id === null ? { ...work, unnamed: work.unnamed + 1 } : opened(work, id);
  }
  return call.kind === "changed-task" ? changed(work, call) : work;
}

export function openTodos({ todos, open, unnamed }: OpenWork): number {
  return todos + open.length + unnamed;
}

function afterListing(
  work: OpenWork,
  listed: readonly { readonly id: string; readonly isOpen: boolean }[],
): OpenWork {
  const open = listed.filter(({ isOpen }) => isOpen).map(({ id }) => nameOf(id));
  return { ...work, open: open.slice(0, maxTasks), unnamed: 0 };
}

function changed(
  work: OpenWork,
  { taskId: id, status }: Extract<ToolCall, { kind: "changed-task" }>,
): OpenWork {
  if (id === null || status === null) return work;
  return isDone(status) || isDropped(status) ? closed(work, id) : opened(work, id, { isNew: false });
}

function opened(work: OpenWork, id: string, { isNew = true }: { isNew?: boolean } = {}): OpenWork {
  const name = nameOf(id);
  if (work.open.includes(name) || work.open.length >= maxTasks) return work;
  const isKnown = isNew || work.closed.includes(name);
  return {
    ...work,
    open: [...work.open, name],
    closed: work.closed.filter((each) => each !== name),
    unnamed: Math.max(0, work.unnamed - (isKnown ? 0 : 1)),
  };
}

function closed(work: OpenWork, id: string): OpenWork {
  const name = nameOf(id);
  if (work.closed.includes(name)) return work;
  const isNamed = work.open.includes(name);
  return {
    ...work,
    open: work.open.filter((each) => each !== name),
    closed: [...work.closed, name].slice(-maxTasks),
    unnamed: Math.max(0, work.unnamed - (isNamed ? 0 : 1)),
  };
}

function nameOf(id: string): string {
  return id.replace(/^#/u, "").slice(0, maxNameLength);
}
