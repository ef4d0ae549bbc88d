import { existsSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing/clock.ts";
import { threadLimits } from "../../base/process/thread-limits.ts";
import { freeHomeLock } from "../home-lock.ts";
import { isOwn } from "../../base/lock/owner.ts";
import { serviceEnvironment, type Launched, type LaunchFailure, type SpawnInput } from "./launch.ts";
import type { Machine } from "../../base/process/machine.ts";
import { readRecord } from "../service-record.ts";
import { sentence, plainSentence } from "../../base/text/sentence.ts";

export interface ThreadInput extends Pick<SpawnInput, "home" | "program" | "env" | "userHome"> {
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
}

/**
 * Hosts the service in a thread of this process, for machines that allow no new process. It also serves other
 * windows and terminals, and ends with this process.
 */
export class ServiceThread {
  readonly #input: ThreadInput;
  #worker: Worker | undefined;
  #isOver = false;
  #ended: Launched["ended"] = Promise.resolve(succeed(undefined));

  constructor(input: ThreadInput) {
    this.#input = input;
  }

  /** A `Launcher`. Returns the current thread while one exists, even if it is ending. */
  readonly launch = (): Promise<Result<Launched, LaunchFailure>> => {
    if (this.#isOver)
      return Promise.resolve(fail("forbidden", sentence("who would host the service is ending")));
    if (this.#worker === undefined) this.#ended = this.#start();
    return Promise.resolve(succeed({ ended: this.#ended }));
  };

  /**
   * Hands its clients over to another service, and resolves when everything is written. No thread starts
   * after that.
   */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#worker?.postMessage("stop");
    await this.#ended;
  }

  #start(): Launched["ended"] {
    const { program, env, userHome } = this.#input;
    let worker: Worker;
    try {
      // A thread has its own copy of the environment, and receives no signals, so a message stops it.
      worker = new Worker(program, {
        env: serviceEnvironment({ env, userHome, isElectron: false }),
        execArgv: [],
        argv: [],
        resourceLimits: threadLimits,
      });
    } catch (error) {
      return Promise.resolve(fail("failed", sentence("a thread cannot be started: {0}", errorCode(error))));
    }
    this.#worker = worker;
    return new Promise((resolve) => {
      let thrown: string | undefined;
      worker.once("error", (error) => (thrown = String(error)));
      worker.once("exit", (code) => {
        this.#worker = undefined;
        const ended =
          code === 0
            ? succeed(undefined)
            : fail(
                "failed",
                thrown === undefined ? sentence("its thread ended with {0}", code) : plainSentence(thrown),
              );
        void this.#freeLeft().finally(() => resolve(ended));
      });
    });
  }

  /**
   * Removes the lock and the record of a dead thread. Both name this process, which lives, so no other
   * process could recognize them as stale.
   */
  async #freeLeft(): Promise<void> {
    const { home, pid, machine } = this.#input;
    if (!existsSync(home.folder)) return;
    await freeHomeLock("service", this.#input);
    const record = readRecord(home);
    if (record.ok && record.value !== null && isOwn(record.value, pid, machine))
      rmSync(home.record, { force: true });
  }
}
