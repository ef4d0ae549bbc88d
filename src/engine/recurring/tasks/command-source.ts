import * as z from "zod/mini";
import { execa } from "execa";
import { parseJson } from "../../base/parse.ts";
import { fail, succeed, type Failure, type Result } from "../../base/result.ts";
import { firstIssue } from "../../base/schema-issues.ts";
import type { SourceFault, TaskList, TaskSource } from "./tasks-source.ts";
import { taskId, type Task, type TaskComment, type TaskState, task, taskComment } from "./task.ts";
import { compose, sentence, type Sentence } from "../../base/language.ts";

/**
 * Answers of a command on its standard output, as JSON. `media/tasks/README.md` is the contract. Unknown members are ignored; times are milliseconds
 * since the epoch, or ISO texts.
 */

const time = z._default(
  z.nullable(
    z.union([
      z.int(),
      z.pipe(
        z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), sentence("is no time").text)),
        z.transform((text) => Date.parse(text)),
      ),
    ]),
  ),
  null,
);

const givenTask = z.object({ ...task.shape, updatedAt: time });
const givenComment = z.object({ ...taskComment.shape, at: time });

const [maxTasks, maxComments] = [5000, 5000];

/** COMMAND list */
const listAnswer = z.object({ tasks: z.array(givenTask).check(z.maxLength(maxTasks)) });
/** COMMAND read ID */
const readAnswer = z.object({
  task: givenTask,
  comments: z.array(givenComment).check(z.maxLength(maxComments)),
});
/** COMMAND comment ID, with `{"author", "text"}` on its standard input */
const commentAnswer = z.object({ id: taskComment.shape.id });
/** COMMAND state ID STATE */
const stateAnswer = z.object({});

export interface CommandPorts {
  readonly command: readonly string[];
  /** For one answer. Milliseconds. */
  readonly timeout: number;
  /** The project's folder. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const maxOutputSize = 8 * 1024 * 1024; // bytes

/** Its output is checked like any outside text. */
export class CommandSource implements TaskSource {
  readonly #ports: CommandPorts;

  constructor(ports: CommandPorts) {
    this.#ports = ports;
  }

  async list(): Promise<Result<TaskList, SourceFault>> {
    const answer = await this.#ask(["list"], listAnswer);
    if (!answer.ok) return answer;
    const byId = new Map(answer.value.tasks.map((each) => [each.id, each]));
    const doubled = answer.value.tasks.length - byId.size;
    const problems =
      doubled === 0 ? [] : [sentence("{0} tasks have the id of another one, and are left out", doubled)];
    return succeed({ tasks: [...byId.values()], problems });
  }

  async read(id: string): Promise<Result<{ task: Task; comments: readonly TaskComment[] }, SourceFault>> {
    const answer = await this.#ask(["read", id], readAnswer);
    if (!answer.ok) return answer;
    const { task, comments } = answer.value;
    if (task.id !== id)
      return failed(
        sentence("the task source {0} answered with the task {1} instead of {2}", this.#name, task.id, id),
      );
    const ids = new Set(comments.map((each) => each.id));
    if (ids.size !== comments.length)
      return failed(sentence("the task source {0} gave two comments of {1} the same id", this.#name, id));
    return succeed({ task, comments });
  }

  async comment(
    id: string,
    comment: { readonly author: string; readonly text: string },
  ): Promise<Result<string, SourceFault>> {
    const answer = await this.#ask(["comment", id], commentAnswer, comment);
    return answer.ok ? succeed(answer.value.id) : answer;
  }

  async setState(id: string, state: TaskState): Promise<Result<null, SourceFault>> {
    const answer = await this.#ask(["state", id, state], stateAnswer);
    return answer.ok ? succeed(null) : answer;
  }

  get #name(): string {
    return this.#ports.command[0] ?? "";
  }

  async #ask<Schema extends z.ZodMiniType>(
    asked: readonly string[],
    schema: Schema,
    input: object = {},
  ): Promise<Result<z.output<Schema>, SourceFault>> {
    const [, id] = asked;
    if (id !== undefined && !taskId.safeParse(id).success)
      return fail("no_such_task", sentence("there is no task {0}", JSON.stringify(id.slice(0, 100))));
    const { command, timeout, cwd, env, signal } = this.#ports;
    const [file = "", ...args] = command;
    const run = await execa(file, [...args, ...asked], {
      cwd,
      env: { ...env },
      extendEnv: false,
      input: JSON.stringify(input),
      reject: false,
      timeout,
      forceKillAfterDelay: 1000,
      maxBuffer: maxOutputSize,
      cancelSignal: signal,
      windowsHide: true,
    });
    const source = file;
    if (run.timedOut)
      return failed(
        sentence("the task source {0} did not answer within {1} seconds", source, timeout / 1000),
      );
    if (run.isMaxBuffer)
      return failed(sentence("the task source {0} answered with more than {1} bytes", source, maxOutputSize));
    if (run.isCanceled) return failed(sentence("the task source {0} was cancelled", source));
    if (run.failed) {
      const errorText = run.stderr.trim().slice(-300);
      const how =
        run.exitCode === undefined
          ? sentence("the task source {0} could not be started or was killed", source)
          : sentence("the task source {0} ended with exit code {1}", source, run.exitCode);
      return failed(errorText === "" ? how : compose`${how}: ${errorText}`);
    }
    const read = schema.safeParse(parseJson(run.stdout));
    if (read.success) return succeed(read.data);
    return failed(
      sentence(
        "the task source {0} answered {1} with something else ({2})",
        source,
        asked[0] ?? "",
        firstIssue(read.error) ?? sentence("no JSON"),
      ),
    );
  }
}

function failed(detail: Sentence): Failure<"source_failed"> {
  return fail("source_failed", detail);
}
