import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import {
  contextOf,
  inboxOf,
  type InboxItem,
  type LastWake,
  type TaskContext,
  type TaskThread,
} from "./tasks-context.ts";
import { namesAgent, byUrgency, isClosed, type Task, type TaskComment } from "./task.ts";
import {
  newComments,
  unseen,
  withSeenComments,
  withSeenTask,
  type TaskCursor,
  type Desk,
  type FetchMode,
} from "./desk.ts";
import { digestOf, type TaskDigest } from "./thread-digest.ts";
import type { SourceFault, TaskSource } from "./tasks-source.ts";
import { sentence, type Sentence } from "../../base/language.ts";

/** Null is a person, for whom nothing counts as seen. */
interface TaskAsker {
  readonly name: string;
  readonly desk: Desk;
  /** Null outside of a wake. */
  readonly wake: string | null;
}

export interface ReaderPorts {
  readonly source: TaskSource;
  readonly asker: TaskAsker | null;
  readonly clock: Clock;
  /** Null if there was none. */
  readonly lastWakeOf: (task: string) => LastWake | null;
}

/** Tasks in an inbox whose comments are counted. */
const maxCountedTasks = 50;

export interface FoundComments {
  readonly comments: readonly TaskComment[];
  readonly mode: FetchMode;
  /** All of the task's comments. */
  readonly total: number;
}

type CommentsFault = SourceFault | "no_such_comment";

/** Records what an agent was shown. */
export class TaskReader {
  readonly #ports: ReaderPorts;

  constructor(ports: ReaderPorts) {
    this.#ports = ports;
  }

  /** Of the calling agent, or all for a person. */
  async inbox(): Promise<
    Result<{ items: readonly InboxItem[]; problems: readonly Sentence[] }, SourceFault>
  > {
    const { source, asker } = this.#ports;
    const listed = await source.list();
    if (!listed.ok) return listed;
    const { tasks, problems } = listed.value;
    const wanted = tasks
      .filter(
        (each) =>
          !isClosed(each) &&
          each.state !== "backlog" &&
          (asker === null || namesAgent(asker.name, each.assignee)),
      )
      .toSorted(byUrgency)
      .slice(0, maxCountedTasks);
    const threads: TaskThread[] = [];
    const unread: Sentence[] = [];
    for (const each of wanted) {
      const read = await source.read(each.id);
      if (read.ok) threads.push({ ...read.value, cursor: this.#cursorOf(each.id) });
      else unread.push(read.detail);
    }
    return succeed({ items: inboxOf(threads, tasks, asker?.name ?? ""), problems: [...problems, ...unread] });
  }

  /** `isWhole`: with its description even if the agent has it. */
  async context(id: string, isWhole: boolean): Promise<Result<TaskContext, SourceFault>> {
    const { source, asker, clock, lastWakeOf } = this.#ports;
    const [read, listed] = [await source.read(id), await source.list()];
    if (!read.ok) return read;
    const cursor = this.#cursorOf(id);
    const context = contextOf(
      { ...read.value, cursor },
      {
        all: listed.ok ? listed.value.tasks : [],
        agent: asker?.name ?? "",
        lastWake: lastWakeOf(id),
        isWhole: isWhole || asker === null,
      },
    );
    await asker?.desk.keep(id, withSeenTask(cursor, read.value.task, clock.now()));
    return succeed(context);
  }

  /** Those the agent has not seen, or those after one, or since a time. */
  async comments(
    id: string,
    {
      after,
      since,
      isWhole,
    }: { readonly after: string | null; readonly since: number | null; readonly isWhole: boolean },
  ): Promise<Result<FoundComments, CommentsFault>> {
    const { source, asker } = this.#ports;
    const read = await source.read(id);
    if (!read.ok) return read;
    const { comments } = read.value;
    const at = after === null ? -1 : comments.findIndex((each) => each.id === after);
    if (after !== null && at === -1)
      return fail(
        "no_such_comment",
        sentence("{0} has no comment {1}", id, JSON.stringify(after.slice(0, 100))),
      );
    const isUnbounded = after === null && since === null;
    const cursor = this.#cursorOf(id);
    const found =
      isUnbounded && !isWhole && asker !== null
        ? newComments(cursor, comments).filter(({ author }) => !namesAgent(asker.name, author))
        : comments.slice(at + 1).filter((each) => since === null || (each.at ?? Infinity) >= since);
    // A request for new comments that returns the whole thread counts as the whole thread.
    const mode = found.length === comments.length && comments.length > 0 && isUnbounded ? "full" : "delta";
    await this.#seen(id, withSeenComments(cursor, comments), mode);
    return succeed({ comments: found, mode, total: comments.length });
  }

  /** Does not count as seen, so new comments are still shown in full. A thread no longer than its summary is shown in full, and counts as seen. */
  async digest(id: string): Promise<Result<TaskDigest, SourceFault>> {
    const read = await this.#ports.source.read(id);
    if (!read.ok) return read;
    const { task, comments } = read.value;
    const digest = digestOf(task, comments);
    if (digest.isWhole) await this.#seenAll(id, read.value);
    else await this.#log(id, "summary");
    return succeed(digest);
  }

  async show(id: string): Promise<Result<{ task: Task; comments: readonly TaskComment[] }, SourceFault>> {
    const read = await this.#ports.source.read(id);
    if (!read.ok) return read;
    await this.#seenAll(id, read.value);
    return succeed(read.value);
  }

  async #seenAll(
    id: string,
    { task, comments }: { readonly task: Task; readonly comments: readonly TaskComment[] },
  ): Promise<void> {
    const seen = withSeenTask(this.#cursorOf(id), task, this.#ports.clock.now());
    await this.#seen(id, withSeenComments(seen, comments), "full");
  }

  #cursorOf(id: string): TaskCursor {
    return this.#ports.asker?.desk.cursorOf(id) ?? unseen;
  }

  async #seen(id: string, cursor: TaskCursor, mode: FetchMode): Promise<void> {
    await this.#ports.asker?.desk.keep(id, cursor);
    await this.#log(id, mode);
  }

  async #log(task: string, mode: FetchMode): Promise<void> {
    const { asker, clock } = this.#ports;
    const wake = asker?.wake ?? null;
    if (wake !== null) await asker?.desk.log({ wake, at: clock.now(), task, mode });
  }
}
