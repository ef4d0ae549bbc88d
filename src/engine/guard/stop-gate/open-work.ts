import * as z from "zod";
import type { ToolCall } from "../../hooks/event/tool-call.ts";

/** Further names add nothing. */
const mostKept = 200;
/** Longer names are cut: they are only shown. Characters. */
const longestName = 500;
const names = z.array(z.string().max(longestName)).max(mostKept);

export const openWork = z.object({
  /** Unfinished todos of a list that is written as a whole. */
  todos: z.int().nonnegative(),
  /** Tasks of a list that changes one by one: how many were created, and which were completed or deleted. */
  made: z.int().nonnegative(),
  closed: names,
});
/** Work an agent has begun and, as far as its tools show, not finished. */
export type OpenWork = Readonly<z.infer<typeof openWork>>;

export const noWork: OpenWork = { todos: 0, made: 0, closed: [] };

/** Returns the open work after a tool call. */
export function afterTool(work: OpenWork, call: ToolCall): OpenWork {
  if (call.kind === "todos") return { ...work, todos: call.unfinished };
  if (call.kind === "new-task") return { ...work, made: work.made + 1 };
  return call.kind === "changed-task" ? closing(work, call) : work;
}

/** Todos that are not done. */
export function openTodos({ todos, made, closed }: OpenWork): number {
  return todos + Math.max(0, made - closed.length);
}

function closing(
  work: OpenWork,
  { taskId: id, status }: Extract<ToolCall, { kind: "changed-task" }>,
): OpenWork {
  if (id === null || status === null) return work;
  if (status === "completed" || status === "deleted") return { ...work, closed: withName(work.closed, id) };
  const name = id.slice(0, longestName);
  return { ...work, closed: work.closed.filter((each) => each !== name) };
}

function withName(held: OpenWork["closed"], fullName: string): OpenWork["closed"] {
  const name = fullName.slice(0, longestName);
  return held.includes(name) || held.length >= mostKept ? held : [...held, name];
}
