import { execa } from "execa";
import type * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { commentAnswer, listAnswer, readAnswer, stateAnswer } from "./contract.ts";
import type { SourceFault, TaskList, TaskSource } from "./source.ts";
import { taskId, type Task, type TaskComment, type TaskState } from "./task.ts";

export interface CommandPorts {
  /** A program and its arguments, which are followed by what is asked. */
  readonly command: readonly string[];
  /** Longest time of one answer. Milliseconds. */
  readonly timeout: number;
  /** The project's folder, in which it runs. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const largest = 8 * 1024 * 1024; // bytes

/** Tasks of which a command answers as the contract says. What it answers is checked like any text from outside. */
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
    const problems = doubled === 0 ? [] : [`${doubled} tasks have the id of another one, and are left out`];
    return succeed({ tasks: [...byId.values()], problems });
  }

  async read(id: string): Promise<Result<{ task: Task; comments: readonly TaskComment[] }, SourceFault>> {
    const answer = await this.#ask(["read", id], readAnswer);
    if (!answer.ok) return answer;
    const { task, comments } = answer.value;
    if (task.id !== id) return this.#failed(`answered with the task ${task.id} instead of ${id}`);
    const ids = new Set(comments.map((each) => each.id));
    if (ids.size !== comments.length) return this.#failed(`gave two comments of ${id} the same id`);
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

  async #ask<Schema extends z.ZodType>(
    asked: readonly string[],
    schema: Schema,
    input: object = {},
  ): Promise<Result<z.output<Schema>, SourceFault>> {
    const [, id] = asked;
    if (id !== undefined && !taskId.safeParse(id).success)
      return fail("no_such_task", `there is no task ${JSON.stringify(id.slice(0, 100))}`);
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
      maxBuffer: largest,
      cancelSignal: signal,
      windowsHide: true,
    });
    if (run.timedOut) return this.#failed(`did not answer within ${timeout / 1000} seconds`);
    if (run.isMaxBuffer) return this.#failed(`answered with more than ${largest} bytes`);
    if (run.isCanceled) return this.#failed("was cancelled");
    if (run.failed) {
      const said = run.stderr.trim().slice(-300);
      const how =
        run.exitCode === undefined
          ? "could not be started or was killed"
          : `ended with exit code ${run.exitCode}`;
      return this.#failed(said === "" ? how : `${how}: ${said}`);
    }
    const read = schema.safeParse(parseJson(run.stdout));
    if (read.success) return succeed(read.data);
    const [issue] = read.error.issues;
    const where =
      issue === undefined || issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
    return this.#failed(
      `answered ${asked[0] ?? ""} with something else (${where}${issue?.message ?? "no JSON"})`,
    );
  }

  #failed(what: string): { readonly ok: false; readonly reason: "source_failed"; readonly detail: string } {
    return fail("source_failed", `the task source ${this.#ports.command[0] ?? ""} ${what}`);
  }
}
