import type { Sentence } from "../../base/language.ts";
import type { Result } from "../../base/result.ts";
import type { Task, TaskComment, TaskState } from "./task.ts";

/**
 * `no_such_task`; `bad_task`: an invalid task, with file and line or the field; `source_failed`: the source
 * failed, took too long, or answered with something else.
 */
export type SourceFault = "no_such_task" | "bad_task" | "source_failed";

export interface TaskList {
  readonly tasks: readonly Task[];
  /** One line for each that is left out. */
  readonly problems: readonly Sentence[];
}

export interface TaskSource {
  /** Includes closed ones where the source gives them. */
  list(): Promise<Result<TaskList, SourceFault>>;
  /** Oldest comment first. */
  read(
    id: string,
  ): Promise<Result<{ readonly task: Task; readonly comments: readonly TaskComment[] }, SourceFault>>;
  comment(
    id: string,
    comment: { readonly author: string; readonly text: string },
  ): Promise<Result<string, SourceFault>>;
  setState(id: string, state: TaskState): Promise<Result<null, SourceFault>>;
}

/** A recurring agent's session gets it once, in its bootstrap. `purser task skill` prints it as a skill for other sessions. */
export const tasksLesson = `Tasks are read with \`purser task\`, which remembers what you have seen:
1. \`purser task inbox\`: your open tasks, the first one first, with how many comments are new.
2. \`purser task context ID\`: what the task is about now, and what changed since you looked last.
3. \`purser task comments ID\`: only the comments that are new to you.
Do not fetch what you were given in this prompt already. \`purser task digest ID\` sums a thread up. \`purser task show ID\` is the whole thread: take it
only when you need exact words of the past. Report with \`purser task comment ID --text "…"\`, briefly, and only what others need. End with
\`purser task done ID\` when the task is done, or \`purser task block ID --text "what you wait for"\` when you cannot go on.
`;

export const lessonSkill = `---
name: purser-tasks
description: Work on tasks of .purser/tasks with few tokens. Use when asked to look at, continue, comment on or finish a task.
---
# Tasks

${tasksLesson}`;
