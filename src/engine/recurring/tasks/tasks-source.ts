import type { Sentence } from "../../base/text/sentence.ts";
import type { Result } from "../../base/result.ts";
import type { Task, TaskComment, TaskState } from "./task.ts";

/**
 * `no_such_task`; `bad_task`: an invalid task, with file and line or the field; `source_failed`: the source
 * failed, took too long, or answered with something else.
 */
export type SourceFault = "no_such_task" | "bad_task" | "source_failed";

/** Tasks and what became of some that cannot be read. */
export interface TaskList {
  readonly tasks: readonly Task[];
  /** One line for each that is left out. */
  readonly problems: readonly Sentence[];
}

/** Where tasks are: a folder of Markdown files, or a command. */
export interface TaskSource {
  /** The tasks, closed ones included where the source gives them. */
  list(): Promise<Result<TaskList, SourceFault>>;
  /** One task with all of its comments, the oldest first. */
  read(
    id: string,
  ): Promise<Result<{ readonly task: Task; readonly comments: readonly TaskComment[] }, SourceFault>>;
  /** Adds a comment, and returns its id. */
  comment(
    id: string,
    comment: { readonly author: string; readonly text: string },
  ): Promise<Result<string, SourceFault>>;
  /** Sets a task's state. */
  setState(id: string, state: TaskState): Promise<Result<null, SourceFault>>;
}
