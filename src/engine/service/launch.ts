import { existsSync, rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { fail, succeed, type Result, errorCode } from "../base/result.ts";
import { stateOf, isOwn } from "../base/lock.ts";
import type { ClientPorts } from "./client.ts";
import { readRecordWithAge, readRecord } from "./service-record.ts";
import { sentence, plainSentence } from "../base/language.ts";
import type { Disposable } from "../base/events.ts";
import type { Clock } from "../base/timing.ts";
import type { RequestResult } from "../protocol/peer.ts";
import type { RequestAnswer, Requester, RequestName, RequestParams } from "../jobs/all-requests.ts";
import { threadLimits, type Machine } from "../base/process.ts";
import { freeHomeLock } from "./home-lock.ts";
import { serviceEnvironment, type Launched, type LaunchFailure, type SpawnInput } from "./launch/launch.ts";

export { spawnLauncher } from "./launch/launch.ts";
export { bundledPrograms, sourcePrograms, type LedgerPrograms } from "./launch/programs.ts";
export { runtimeFlags, runtimeVariables } from "./launch/runtime-flags.ts";

/** Only if certain to be the service: process ids are reused. */
export function findService({ home, machine, clock }: ClientPorts): Result<number, "not_running" | "unsure"> {
  const found = readRecordWithAge(home, clock.now());
  if (!found.ok) return fail("unsure", found.detail);
  if (found.value === null) return fail("not_running", sentence("{0} tells of no service", home.record));
  const { record, silence } = found.value;
  const state = stateOf(record, machine, silence);
  const who = sentence("process {0} on {1}", record.pid, record.machine.host);
  if (state === "gone") return fail("not_running", sentence("{who} has ended", { who: who }));
  const isCertain = state === "alive" && record.startTime !== null;
  return isCertain
    ? succeed(record.pid)
    : fail("unsure", sentence("it is not certain that {who} is the service; end it yourself", { who: who }));
}

/** After a failed attempt to reconnect, requests fail at once for this long: an attempt may take half a minute. Milliseconds. */
const restFor = 60_000;

type Connection = Requester & Disposable;

interface LastingPorts {
  readonly connect: () => Promise<Result<Connection>>;
  readonly clock: Clock;
}

/** Sends requests to the next service if the first one ends. A pending request is sent again, so each must be idempotent. */
export class LastingService implements Requester, Disposable {
  readonly #ports: LastingPorts;
  #client: Connection;
  #again: Promise<Result<Connection>> | null = null;
  #notBefore = -Infinity;
  #isOver = false;

  constructor(client: Connection, ports: LastingPorts) {
    this.#client = client;
    this.#ports = ports;
  }

  async ask<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResult<RequestAnswer<Name>>> {
    const answer = await this.#client.ask(name, params, signal);
    if (answer.ok || answer.reason !== "closed" || this.#isOver) return answer;
    if (this.#ports.clock.now() < this.#notBefore) return answer;
    this.#again ??= this.#reconnect();
    const again = await this.#again;
    return again.ok ? await again.value.ask(name, params, signal) : fail("closed", again.detail);
  }

  dispose(): void {
    this.#isOver = true;
    this.#client.dispose();
  }

  async #reconnect(): Promise<Result<Connection>> {
    const again = await this.#ports.connect();
    if (again.ok) this.#client = again.value;
    else this.#notBefore = this.#ports.clock.now() + restFor;
    if (again.ok && this.#isOver) again.value.dispose();
    this.#again = null;
    return again;
  }
}

interface ThreadInput extends Pick<SpawnInput, "home" | "program" | "env" | "userHome"> {
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** For machines that allow no new process. The thread also serves other windows and terminals, and ends with this process. */
export class ServiceThread {
  readonly #input: ThreadInput;
  #worker: Worker | undefined;
  #isOver = false;
  #ended: Launched["ended"] = Promise.resolve(succeed(undefined));

  constructor(input: ThreadInput) {
    this.#input = input;
  }

  /** Returns the current thread while one exists, even if it is ending. */
  readonly launch = (): Promise<Result<Launched, LaunchFailure>> => {
    if (this.#isOver)
      return Promise.resolve(fail("forbidden", sentence("who would host the service is ending")));
    if (this.#worker === undefined) this.#ended = this.#start();
    return Promise.resolve(succeed({ ended: this.#ended }));
  };

  /** Resolves when everything is written. No thread starts after that. */
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

  /** The lock and the record of a dead thread name this process, which lives, so no other process could recognize them as stale. */
  async #freeLeft(): Promise<void> {
    const { home, pid, machine } = this.#input;
    if (!existsSync(home.folder)) return;
    await freeHomeLock("service", this.#input);
    const record = readRecord(home);
    if (record.ok && record.value !== null && isOwn(record.value, pid, machine))
      rmSync(home.record, { force: true });
  }
}
