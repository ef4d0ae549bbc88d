import { english } from "../../base/text/english.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { WakeSource } from "../../ledger/entries/woken.ts";
import { newComments, type TaskCursor } from "./cursor.ts";
import type { SourceFault, TaskSource } from "./tasks-source.ts";
import { byUrgency, isClosed, type Task, type TaskComment } from "./task.ts";

export interface ChosenTask {
  /** Null where the agent has no task. */
  readonly thread: TaskThreadRead | null;
  readonly all: readonly Task[];
}

interface TaskThreadRead {
  readonly task: Task;
  readonly comments: readonly TaskComment[];
}

export interface TaskWanted {
  /** The agent's name. */
  readonly agent: string;
  /** Null lets the wake's cause and the inbox decide. */
  readonly taskId: string | null;
  readonly source: WakeSource;
  /** The task of the last wake. */
  readonly last: string | null;
  readonly cursorOf: (task: string) => TaskCursor;
}

/** Maximum tasks that are read to find a wake's cause. */
const maxReadTasks = 50;

/**
 * Returns the requested task. Otherwise the cause of a wake by a mention or an assignment; otherwise the task
 * of the last wake while it is open; otherwise the first of the inbox.
 */
export async function chooseTask(
  wanted: TaskWanted,
  tasks: TaskSource,
): Promise<Result<ChosenTask, SourceFault | "nothing_to_do">> {
  const { agent, taskId, source, last } = wanted;
  const listed = await tasks.list();
  if (!listed.ok) return listed;
  const all = listed.value.tasks;
  const own = all.filter(({ assignee }) => assignee === agent);
  const workable = own.filter(
    (each) => !isClosed(each) && each.state !== "backlog" && each.state !== "in_review",
  );
  const openIds = new Set(all.filter((each) => !isClosed(each)).map(({ id }) => id));
  const isFree = ({ blockedBy }: Task) => !blockedBy.some((id) => openIds.has(id));
  const going = workable.find((each) => each.id === last && each.state !== "blocked");
  const inbox = workable.toSorted(
    (one, other) => Number(isFree(other)) - Number(isFree(one)) || byUrgency(one, other),
  );
  const id = taskId ?? (await causeOf(wanted, inbox, all, tasks)) ?? going?.id ?? inbox[0]?.id ?? null;
  if (id === null) {
    if (source === "timer" && own.length > 0)
      return fail("nothing_to_do", english("no task of {0} is open", agent));
    return succeed({ thread: null, all });
  }
  const read = await tasks.read(id);
  if (!read.ok) return read;
  if (taskId !== null && isClosed(read.value.task))
    return fail("nothing_to_do", `${id} is ${read.value.task.state}`);
  return succeed({ thread: read.value, all });
}

/** The task because of which somebody woke the agent. Null if none is found. */
async function causeOf(
  { agent, source, cursorOf }: TaskWanted,
  inbox: readonly Task[],
  all: readonly Task[],
  tasks: TaskSource,
): Promise<string | null> {
  if (source === "assignment")
    return inbox.find(({ id }) => cursorOf(id).seen?.assignee !== agent)?.id ?? null;
  if (source !== "mention") return null;
  const open = all.filter((each) => !isClosed(each));
  const others = open.filter((each) => each.assignee !== agent).toSorted(byNewest);
  const ownFirst = [...open.filter((each) => each.assignee === agent), ...others];
  const found: { readonly id: string; readonly isMention: boolean; readonly at: number }[] = [];
  for (const { id } of ownFirst.slice(0, maxReadTasks)) {
    const read = await tasks.read(id);
    // An unreadable task is reported in the list of tasks.
    if (!read.ok) continue;
    const { task, comments } = read.value;
    const cursor = cursorOf(id);
    const unread = newComments(cursor, comments).filter(({ author }) => author !== agent);
    const mentions = unread.filter(({ text }) => isMentioned(agent, text));
    const at = (each: readonly TaskComment[]) => Math.max(0, ...each.map((comment) => comment.at ?? 0));
    if (mentions.length > 0) found.push({ id, isMention: true, at: at(mentions) });
    else if (cursor.seen === null && isMentioned(agent, task.description))
      found.push({ id, isMention: true, at: task.updatedAt ?? 0 });
    else if (task.assignee === agent && unread.length > 0)
      found.push({ id, isMention: false, at: at(unread) });
  }
  const [cause] = found.toSorted(
    (one, other) => Number(other.isMention) - Number(one.isMention) || other.at - one.at,
  );
  return cause?.id ?? null;
}

function byNewest(one: Task, other: Task): number {
  return (other.updatedAt ?? 0) - (one.updatedAt ?? 0);
}

function isMentioned(agent: string, text: string): boolean {
  // Names of recurring agents are letters, digits and hyphens: nothing is to be escaped.
  return new RegExp(String.raw`(?<![\w.@-])@${agent}(?![\w-])`, "iu").test(text);
}
