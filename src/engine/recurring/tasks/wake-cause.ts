import { sentence, compose } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { WakeSource } from "../../ledger/woken.ts";
import { mentionIn, namesAgent, byUrgency, isClosed, type Task, type TaskComment } from "./task.ts";
import { changesOf, newComments, type TaskCursor } from "./desk.ts";
import type { SourceFault, TaskSource } from "./tasks-source.ts";

export interface ChosenTask {
  readonly thread: TaskThreadRead | null;
  readonly all: readonly Task[];
  /** Of the agent. */
  readonly assigned: readonly string[];
}

interface TaskThreadRead {
  readonly task: Task;
  readonly comments: readonly TaskComment[];
}

export interface TaskWanted {
  readonly agent: string;
  /** Null lets the wake's cause and the inbox decide. */
  readonly taskId: string | null;
  readonly source: WakeSource;
  /** Of earlier wakes, newest last. */
  readonly earlier: readonly (string | null)[];
  /** Open tasks at its last wake. Null where unknown. */
  readonly assigned: readonly string[] | null;
  readonly cursorOf: (task: string) => TaskCursor;
}

/** To find a wake's cause. */
const maxReadTasks = 50;

/**
 * The requested task. Else the cause of a wake by a mention or an assignment; else the task of the last wake on a task of its own while it is open;
 * else the first of the inbox.
 */
export async function chooseTask(
  wanted: TaskWanted,
  tasks: TaskSource,
): Promise<Result<ChosenTask, SourceFault | "nothing_to_do">> {
  const { agent, taskId, source, earlier } = wanted;
  const listed = await tasks.list();
  if (!listed.ok) return listed;
  const all = listed.value.tasks;
  const own = all.filter((each) => namesAgent(agent, each.assignee));
  const open = own.filter((each) => !isClosed(each));
  const openIds = new Set(all.filter((each) => !isClosed(each)).map(({ id }) => id));
  const isFree = ({ blockedBy }: Task) => !blockedBy.some((id) => openIds.has(id));
  const inbox = open
    .filter(isWorkable)
    .toSorted((one, other) => Number(isFree(other)) - Number(isFree(one)) || byUrgency(one, other));
  // A mention may lead to a task of somebody else. The agent then returns to its own.
  const last = earlier.findLast((id) => own.some((each) => each.id === id));
  const going = inbox.find((each) => each.id === last && each.state !== "blocked");
  const id =
    taskId ?? (await causeOf(wanted, { inbox, open, all }, tasks)) ?? going?.id ?? inbox[0]?.id ?? null;
  const assigned = open.map((each) => each.id);
  if (id === null) {
    if (source === "timer" && own.length > 0)
      return fail("nothing_to_do", sentence("no task of {0} is open", agent));
    return succeed({ thread: null, all, assigned });
  }
  const read = await tasks.read(id);
  if (!read.ok) return read;
  if (taskId !== null && isClosed(read.value.task))
    return fail("nothing_to_do", compose`${id} is ${read.value.task.state}`);
  return succeed({ thread: read.value, all, assigned });
}

interface KnownTasks {
  /** Workable ones, first one first. */
  readonly inbox: readonly Task[];
  /** Of the agent. */
  readonly open: readonly Task[];
  readonly all: readonly Task[];
}

async function causeOf(wanted: TaskWanted, known: KnownTasks, tasks: TaskSource): Promise<string | null> {
  if (wanted.source === "assignment") return assignedLast(wanted, known)?.id ?? null;
  return wanted.source === "mention" ? await mentionedLast(wanted, known.all, tasks) : null;
}

/**
 * The task that became the agent's since its last wake. Without one, a task that it was never shown as its own, then the newest one that changed
 * since it was shown.
 */
function assignedLast(
  { agent, assigned, cursorOf }: TaskWanted,
  { inbox, open }: KnownTasks,
): Task | undefined {
  // Work to review, or still in the backlog, is assigned like any other.
  const own = [...inbox, ...open.filter((each) => !isWorkable(each)).toSorted(byUrgency)];
  const before = new Set(assigned);
  const since = assigned === null ? undefined : own.find(({ id }) => !before.has(id));
  const seenOf = ({ id }: Task) => cursorOf(id).seen;
  const isChanged = (each: Task) =>
    changesOf(each, cursorOf(each.id)).length > 0 || (each.updatedAt ?? 0) > (seenOf(each)?.at ?? Infinity);
  return (
    since ??
    own.find((each) => !namesAgent(agent, seenOf(each)?.assignee ?? null)) ??
    own.filter(isChanged).toSorted(byNewest)[0]
  );
}

interface FoundCause {
  readonly id: string;
  /** For a mention 3, in a quotation or in code 2, and 1 for other new comments on the agent's own task. */
  readonly rank: number;
  readonly at: number;
}

/** By the newest mention. Without one, the agent's own task with the newest comment. */
async function mentionedLast(
  { agent, cursorOf }: TaskWanted,
  all: readonly Task[],
  tasks: TaskSource,
): Promise<string | null> {
  const isOwn = ({ assignee }: Task) => namesAgent(agent, assignee);
  // A comment makes its task the newest. Own tasks first where times are unknown.
  const open = all
    .filter((each) => !isClosed(each))
    .toSorted((one, other) => byNewest(one, other) || Number(isOwn(other)) - Number(isOwn(one)));
  const found: FoundCause[] = [];
  for (const { id } of open.slice(0, maxReadTasks)) {
    const read = await tasks.read(id);
    // An unreadable task is reported in the list of tasks.
    if (!read.ok) continue;
    const { task, comments } = read.value;
    const cursor = cursorOf(id);
    const unread = newComments(cursor, comments).filter(({ author }) => !namesAgent(agent, author));
    const ranked = unread.map(({ text, at }) => ({ id, rank: rankOf(agent, text), at: at ?? 0 }));
    const isNew =
      cursor.seen === null ||
      changesOf(task, cursor).some((change) => /^(?:title|description)/u.test(change));
    const ofTask = Math.max(rankOf(agent, task.title), rankOf(agent, task.description));
    found.push(
      ...ranked.filter(({ rank }) => rank > 0),
      ...(isNew && ofTask > 0 ? [{ id, rank: ofTask, at: task.updatedAt ?? 0 }] : []),
      ...(isOwn(task) ? ranked.map((each) => ({ ...each, rank: 1 })) : []),
    );
  }
  const [cause] = found.toSorted((one, other) => other.rank - one.rank || other.at - one.at);
  return cause?.id ?? null;
}

function rankOf(agent: string, text: string): number {
  const ranks = { direct: 3, quoted: 2, none: 0 } as const;
  return ranks[mentionIn(text, agent)];
}

function isWorkable({ state }: Task): boolean {
  return state !== "backlog" && state !== "in_review" && !isClosed({ state });
}

function byNewest(one: Task, other: Task): number {
  return (other.updatedAt ?? 0) - (one.updatedAt ?? 0);
}
