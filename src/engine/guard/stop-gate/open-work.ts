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
  /** Files edited without a later command that could have shown whether they work. */
  unverified: names,
});
/** Work an agent has begun and, as far as its tools show, not finished. */
export type OpenWork = Readonly<z.infer<typeof openWork>>;

export const noWork: OpenWork = { todos: 0, made: 0, closed: [], unverified: [] };

/** Text is verified by reading it. */
const prose = /\.(?:md|mdx|txt|rst|adoc)$/iu;
/** Commands that only inspect, or move things around. */
const idle =
  /^\s*(?:cd\s[^&;|]*(?:&&|;)\s*)?(?:git|ls|cat|head|tail|grep|rg|find|pwd|echo|mkdir|touch|cp|mv|rm|which)\b[^&;|]*$/u;

/** Whether a file is text for people, which no command verifies. */
export function isProse(file: string): boolean {
  return prose.test(file);
}

/** Whether a command could have shown if edits are right. */
export function couldVerify(command: string): boolean {
  return !idle.test(command);
}

/** Returns the open work after a tool call. */
export function afterTool(work: OpenWork, call: ToolCall): OpenWork {
  switch (call.kind) {
    case "todos":
      return { ...work, todos: call.unfinished };
    case "new-task":
      return { ...work, made: work.made + 1 };
    case "changed-task":
      return closing(work, call);
    case "edit": {
      const file = call.file ?? "a file";
      return isProse(file) ? work : { ...work, unverified: withName(work.unverified, file) };
    }
    case "command":
      return couldVerify(call.command ?? "") ? verified(work) : work;
    case "read":
    case "search":
    case "list":
    case "spawn":
    case "message":
    case "other":
      return isLook(call.tool) ? verified(work) : work;
  }
}

function verified(work: OpenWork): OpenWork {
  return { ...work, unverified: noWork.unverified };
}

/** True for a tool of an MCP server that shows whether things work. */
function isLook(tool: string): boolean {
  return tool.startsWith("mcp__") && /diagnostics|test|build|lint/iu.test(tool);
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
