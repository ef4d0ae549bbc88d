import { sentence } from "../../base/language.ts";
import { spawn, type ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { type Result, succeed, fail, errorCode } from "../../base/result.ts";
import type { BenchPlan } from "../../bench/plan.ts";
import type { BenchChoices } from "../../jobs/bench-answers.ts";
import {
  type JobExecutor,
  type WorkOrder,
  type JobEvent,
  type WorkFailure,
  type WorkEnd,
  type PlanOrder,
  type ClientEnvironment,
  workChoices,
  workEvent,
  workPlan,
  workRun,
  workWakePlan,
} from "../../jobs/executor.ts";
import { serveHandovers, type HandoverParts } from "../../continuity/feature.ts";
import { serveRuns } from "../../bench/feature.ts";
import { serveComparisons } from "../../compare/feature.ts";
import { serveWakes } from "../../recurring/feature.ts";
import { type LedgerHost, serveLedger } from "../../ledger/ledger-host.ts";
import { Peer, type RequestResult } from "../../protocol/peer.ts";
import { readEnvelope, serviceLimit } from "../../protocol/envelope.ts";
import { type RulesService, serveRules } from "../../rules/feature.ts";
import type { ServiceLog } from "../../base/log.ts";

export interface ChildProcessRunnerPorts {
  readonly program: string;
  readonly execPath: string;
  readonly isElectron: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ledger: LedgerHost | undefined;
  readonly rules: RulesService | undefined;
  readonly handovers?: HandoverParts | undefined;
  readonly log: ServiceLog;
}

/** An idle worker takes more memory than all the rest of a service. Milliseconds. */
const idleAfter = 60_000;
/** For a closing worker to end its runs. Milliseconds. */
const closeTime = 8000;

interface Child {
  readonly process: ChildProcess;
  readonly peer: Peer;
  readonly ended: Promise<void>;
  how: string;
}

/** In a separate process, started on demand. If the service dies, the pipe closes, and the worker ends its runs. */
export class ChildProcessRunner implements JobExecutor {
  readonly #ports: ChildProcessRunnerPorts;
  #child: Child | undefined;
  #busy = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #current = new Map<string, (event: JobEvent) => void>();

  constructor(ports: ChildProcessRunnerPorts) {
    this.#ports = ports;
  }

  choices(
    reply: { readonly workspace: string | null; readonly env: ClientEnvironment },
    signal: AbortSignal,
  ): Promise<Result<BenchChoices, WorkFailure>> {
    return this.#ask((peer) => peer.sendRequest(workChoices, { ...reply, env: { ...reply.env } }, signal));
  }

  async plan(order: PlanOrder, signal: AbortSignal): Promise<Result<BenchPlan, WorkFailure>> {
    const answer = await this.#ask((peer) => peer.sendRequest(workPlan, paramsOf(order), signal));
    return answer.ok ? succeed(answer.value.plan) : answer;
  }

  async planWake(
    { ask, env }: Parameters<JobExecutor["planWake"]>[0],
    signal: AbortSignal,
  ): ReturnType<JobExecutor["planWake"]> {
    const answer = await this.#ask((peer) =>
      peer.sendRequest(workWakePlan, { ask, env: { ...env } }, signal),
    );
    return answer.ok ? succeed(answer.value.plan) : answer;
  }

  async run(
    { id, project, selection, comparison, ...order }: WorkOrder,
    onEvent: (event: JobEvent) => void,
    signal: AbortSignal,
  ): Promise<Result<WorkEnd, WorkFailure>> {
    this.#current.set(id, onEvent);
    const params = { id, project, selection, comparison, ...paramsOf(order) };
    try {
      // A cancelled run is answered too, once all of it has stopped.
      const answer = await this.#ask((peer) => peer.sendRequest(workRun, params, signal));
      return answer.ok ? succeed(answer.value.end) : answer;
    } finally {
      this.#current.delete(id);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#release();
  }

  async #ask<Answer>(
    question: (peer: Peer) => Promise<RequestResult<Answer>>,
  ): Promise<Result<Answer, WorkFailure>> {
    if (this.#isClosed) return fail("gone", sentence("the service is ending"));
    clearTimeout(this.#idle);
    this.#busy += 1;
    try {
      const child = (this.#child ??= this.#start());
      const reply = await question(child.peer);
      if (reply.ok) return succeed(reply.value);
      if (reply.reason !== "closed")
        return fail(reply.reason === "cancelled" ? "cancelled" : "failed", reply.detail);
      await child.ended;
      return fail("gone", sentence("what runs benchmarks ended unexpectedly: {0}", child.how));
    } catch (error) {
      return fail("failed", sentence("what runs benchmarks cannot be started: {0}", errorCode(error)));
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#rest();
    }
  }

  #rest(): void {
    if (!this.#isClosed) this.#idle = setTimeout(() => void this.#release(), idleAfter).unref();
  }

  #start(): Child {
    const { program, execPath, isElectron, env, ledger, rules, handovers, log } = this.#ports;
    const child = spawn(execPath, [program], {
      env: { ...env, ...(isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}) },
      // Its output goes to the service's log. The last one is the pipe between the two.
      stdio: ["ignore", "inherit", "inherit", "pipe"],
      windowsHide: true,
    });
    const pipe = child.stdio[3];
    if (!(pipe instanceof Socket)) throw new Error("a pipe to a child is a socket");
    const peer = new Peer(pipe, {
      limit: () => serviceLimit,
      admit: readEnvelope,
      onRefused: (why) => {
        log.write("warn", `What runs benchmarks was not understood: ${why.text}`);
        child.kill("SIGKILL");
      },
      onProblem: (message) => log.write("warn", message),
    });
    peer.onNotification(workEvent, ({ id, news: event }) => {
      this.#current.get(id)?.(event);
    });
    const served = [
      serveLedger(ledger),
      serveRuns(ledger),
      serveComparisons(ledger),
      serveWakes(ledger),
      serveRules(rules),
      serveHandovers(handovers),
    ];
    for (const serve of served) serve(peer);
    const ended = new Promise<void>((resolve) => {
      const end = (how: string) => {
        worker.how = how;
        if (this.#child === worker) this.#child = undefined;
        peer.dispose();
        resolve();
      };
      child.once("error", (error) => end(errorCode(error)));
      child.once("exit", (code, signal) => end(signal ?? `exit code ${code ?? "unknown"}`));
    });
    const worker: Child = { process: child, peer, ended, how: "" };
    peer.listen();
    return worker;
  }

  /** Closing the pipe makes the worker end; it is killed if it does not in time. */
  async #release(): Promise<void> {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    child.peer.end();
    const timer = setTimeout(() => child.process.kill("SIGKILL"), closeTime);
    await child.ended;
    clearTimeout(timer);
  }
}

function paramsOf<Ask>({ ask, env, memories }: Omit<PlanOrder, "ask"> & { readonly ask: Ask }) {
  return { ask, env: { ...env }, memories: { ...memories } };
}
