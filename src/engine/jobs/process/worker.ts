import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/timing.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { type RunRecorder, type BenchPorts } from "../../bench/bench-request.ts";
import { type BenchBudget, benchBudget, estimatePrice } from "../../bench/run-budget.ts";
import type { DriverName } from "../../bench/run-facts.ts";
import { makeDriver, type Driver } from "../../bench/drivers.ts";
import { pendingInstall, prepareFixtureModules } from "../../bench/fixture.ts";
import {
  type CommitPorts,
  type Suite,
  loadSuite,
  type SuitePaths,
  workspaceSuite,
} from "../../bench/suite.ts";
import { listBudgets } from "../../budgets/convoys.ts";
import { noHistory } from "../../budgets/projection.ts";
import { claudeRoot } from "../../transcripts/claude.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import { benchOffer } from "./offer.ts";
import { plannedInstalls } from "./planned-installs.ts";
import { runnerOf } from "./runners/kinds.ts";
import type { JobOrder, SuiteChoice } from "../bench-answers.ts";
import {
  type JobEvent,
  type WorkEnd,
  workChoices,
  workEvent,
  workPlan,
  workRun,
  workWakePlan,
} from "../executor.ts";
import type { JobClients, JobWork } from "./runners/runner.ts";
import type { Machine } from "../../base/process.ts";
import type { Peer } from "../../protocol/peer.ts";
import { projectBudgets } from "../../budgets/feature.ts";
import type { PurserPaths } from "../../base/paths.ts";
import { serviceRunRecorder } from "./run-recorder.ts";
import { planWakeJob, runWakeJob } from "./wake-job.ts";
import { handoverRequests } from "../../continuity/continuity-requests.ts";
import { benchJobRequests, requesterOf } from "../all-requests.ts";
import { compose, sentence, type Sentence } from "../../base/language.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface WorkerContext {
  /** The service's environment, overridden by a client's. */
  readonly env: Env;
  readonly userHome: string;
  readonly home: PurserPaths;
  readonly scratch: string;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  /** Bundled suite. */
  readonly suite: SuitePaths;
  /** Command that runs `purser`: a runtime and its arguments. */
  readonly purser: readonly string[];
  /** Aborts when the service is gone: with `interruption` as its reason. */
  readonly signal: AbortSignal;
  readonly onProblem: (message: Sentence) => void;
}

/** Cache lifetime of a driver's readiness: checking an agent's login takes a second. Milliseconds. */
const readyFor = 30_000;

/** `idle` resolves when no job is in progress. */
export function serveJobs(peer: Peer, context: WorkerContext): { idle: () => Promise<void> } {
  const going = new Set<Promise<unknown>>();
  const clients = { service: requesterOf(peer, benchJobRequests) };
  const wakeService = requesterOf(peer, { ...benchJobRequests, ...handoverRequests });
  const wakeContext = (env: Env, signal: AbortSignal) => ({
    ...context,
    env: { ...context.env, ...env },
    service: wakeService,
    signal: AbortSignal.any([signal, context.signal]),
  });
  peer.onRequest(workWakePlan, async ({ ask, env }, signal) => {
    const plan = await planWakeJob(ask, wakeContext(env, signal));
    return plan.ok ? succeed({ plan: plan.value }) : plan;
  });
  const recorder = serviceRunRecorder(clients.service, context);
  const ready = new ReadyDrivers(context);
  const planned = plannedInstalls(installPorts(context).pendingInstall, context.clock);
  peer.onRequest(workChoices, async ({ workspace, env }) =>
    succeed(
      await benchOffer(
        {
          builtIn: context.suite,
          workspace,
          commits: commitPortsOf(context),
          history: context.home.goldenHistory,
        },
        (name, suite) => ready.ask(name, suite, env),
      ),
    ),
  );
  peer.onRequest(workPlan, async ({ ask, env, memories }) => {
    const suite = await suiteOf(ask.suite, context);
    if (!suite.ok) return suite;
    const runner = runnerOf({ id: "plan", ask, suite: suite.value, memories, before: {} });
    const driver = await ready.make(ask.driver, suite.value, env);
    if (!driver.ok) return driver;
    const { clock, home } = context;
    const planning = { driver: driver.value, recorder, price, pendingInstall: planned };
    const ports = { ...planning, clock, folder: home.benches };
    const plan = await runner.plan({ ...clients, root: rootOf(env, context), ports });
    if (!plan.ok) return plan;
    const able = await ready.ask(ask.driver, suite.value, env);
    return succeed({ plan: { ...plan.value, unready: able.ok ? null : able.detail } });
  });
  peer.onRequest(workRun, async ({ selection, comparison, ...asked }, signal) => {
    const either = AbortSignal.any([signal, context.signal]);
    let sending = Promise.resolve();
    // Notices are sent in order, and all of them before the answer.
    const emit = (event: JobEvent) =>
      void (sending = sending.then(() => peer.sendNotification(workEvent, { id: asked.id, news: event })));
    const { ask, ...job } = asked;
    const own = { ...clients, root: rootOf(asked.env, context) };
    const measuring = { context, recorder, ready, clients: own, emit, signal: either };
    const running =
      ask.kind === "wake"
        ? runWakeJob(ask, wakeContext(asked.env, signal), emit)
        : runJob({ ...job, ask, before: { selection, comparison } }, measuring);
    going.add(running);
    const end = await running.finally(() => going.delete(running));
    await sending;
    return end.ok ? succeed({ end: end.value }) : end;
  });
  return {
    idle: async () => {
      await Promise.allSettled(going);
    },
  };
}

interface Job extends Omit<JobWork<JobOrder>, "suite"> {
  readonly env: Env;
  readonly project: string | null;
}

interface JobContext {
  readonly context: WorkerContext;
  readonly recorder: RunRecorder;
  readonly ready: ReadyDrivers;
  readonly clients: JobClients;
  readonly emit: (event: JobEvent) => void;
  readonly signal: AbortSignal;
}

async function runJob(
  { env, project, ...job }: Job,
  { context, recorder, ready, clients, emit, signal }: JobContext,
): Promise<Result<WorkEnd>> {
  const { ask } = job;
  const suite = await suiteOf(ask.suite, context);
  if (!suite.ok) return suite;
  const runner = runnerOf({ ...job, suite: suite.value });
  const outline = runner.outline();
  if (!outline.ok) return outline;
  emit({ kind: "outline", outline: outline.value });
  const driver = await ready.make(ask.driver, suite.value, env);
  if (!driver.ok) return driver;
  const able = await driver.value.ready();
  if (!able.ok)
    return fail(
      able.reason,
      sentence("{detail}. To try it without an agent, run it with Replay, which is a demo", {
        detail: able.detail,
      }),
    );
  const budget = await budgetOf(project, context);
  const ports = portsOf({
    context,
    env,
    driver: driver.value,
    budget,
    recorder: withBudget(recorder, budget, context),
  });
  return await runner.run({ ...clients, ports }, emit, signal);
}

/** In the client's environment. */
function rootOf(env: Env, context: WorkerContext): string {
  return claudeRoot({ env: { ...context.env, ...env }, home: context.userHome });
}

function portsOf(given: {
  readonly context: WorkerContext;
  readonly env: Env;
  readonly driver: Driver;
  readonly budget: BenchBudget | null;
  readonly recorder: RunRecorder;
}): BenchPorts {
  const { context, driver, budget, recorder } = given;
  const { clock, pid, machine, home, scratch } = context;
  const env = { ...context.env, ...given.env };
  return {
    clock,
    pid,
    machine,
    unique: randomUUID,
    folder: home.benches,
    scratch,
    driver,
    recorder,
    env,
    price,
    ...installPorts(context),
    modules: (fixture, signal, onProgress) =>
      prepareFixtureModules(fixture, {
        onProgress,
        cache: home.fixtures,
        env,
        signal,
        clock,
        onDamage: context.onProblem,
      }),
    mayRun: budget?.mayRun ?? (() => Promise.resolve({ allowed: true })),
  };
}

function installPorts({ home }: WorkerContext): Pick<BenchPorts, "pendingInstall"> {
  return { pendingInstall: (fixture) => pendingInstall(fixture, home.fixtures) };
}

function price(model: string, tokens: { processing: number; cacheRead: number }): number | null {
  return estimatePrice(model, tokens, builtInCatalogue);
}

/** Null for a project without budgets, which is left unchanged. */
async function budgetOf(
  project: string | null,
  { pid, machine, clock, home }: WorkerContext,
): Promise<BenchBudget | null> {
  if (project === null) return null;
  // A person accepted the price of the job.
  const apart = { folder: home.spending, isTrusted: null };
  const ports = projectBudgets(project, { pid, machine, clock, history: noHistory, apart });
  const found = await listBudgets(ports);
  return found.ok && found.value.budgets.length === 0 ? null : benchBudget(ports);
}

function withBudget(
  recorder: RunRecorder,
  budget: BenchBudget | null,
  { onProblem }: WorkerContext,
): RunRecorder {
  if (budget === null) return recorder;
  return {
    ...recorder,
    async record(run, title) {
      await recorder.record(run, title);
      const wrong = await budget.used(run);
      if (wrong !== null) onProblem(compose`A budget was not told what a run used: ${wrong}`);
    },
  };
}

async function suiteOf(choice: SuiteChoice, context: WorkerContext): Promise<Result<Suite>> {
  if (choice.origin === "built-in") return await loadSuite(context.suite);
  // Only a trusted window names a folder.
  const paths = await workspaceSuite(choice.folder, true);
  return paths.ok ? await loadSuite(paths.value, commitPortsOf(context)) : paths;
}

function commitPortsOf({ home, env, clock, signal }: WorkerContext): CommitPorts {
  return { cache: home.fixtures, env, clock, signal };
}

/** Caches whether drivers are ready. */
class ReadyDrivers {
  readonly #context: WorkerContext;
  readonly #asked = new Map<string, { readonly at: number; readonly answer: Promise<Result<null>> }>();

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  make(name: DriverName, suite: Pick<Suite, "folder">, env: Env): Promise<Result<Driver>> {
    const { userHome, clock, scratch } = this.#context;
    const all = { ...this.#context.env, ...env };
    const pace = Number(all["PURSER_REPLAY_PACE"] ?? 0) || 0;
    return makeDriver(name, suite, { env: all, userHome, clock, scratch, pace });
  }

  async ask(
    name: DriverName,
    suite: Pick<Suite, "folder">,
    env: Env,
  ): Promise<Result<{ readonly recordedBy: readonly string[] }>> {
    const driver = await this.make(name, suite, env);
    if (!driver.ok) return driver;
    const now = this.#context.clock.now();
    const key = JSON.stringify([name, suite.folder, env]);
    const known = this.#asked.get(key);
    const answer = known !== undefined && now - known.at < readyFor ? known.answer : driver.value.ready();
    this.#asked.set(key, known?.answer === answer ? known : { at: now, answer });
    const able = await answer;
    return able.ok ? succeed({ recordedBy: driver.value.recordedBy() }) : able;
  }
}
