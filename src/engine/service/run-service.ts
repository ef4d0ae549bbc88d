import type { Sentence } from "../base/language.ts";
import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { systemClock } from "../base/timing.ts";
import { thisMachine, sampleFolder, HeapTidier } from "../base/process.ts";
import type { HeldLock } from "../base/lock.ts";
import { composeLedger } from "./compose-ledger.ts";
import type { LedgerPrograms } from "./launch/programs.ts";
import { purserPaths, type PurserPaths } from "../base/paths.ts";
import type { JobParts, ServicePorts } from "./service-ports.ts";
import { serveSample } from "./left-sample.ts";
import { Service } from "./service.ts";
import { FileLog } from "../base/log.ts";
import { takeOver } from "./take-over.ts";
import { randomBytes } from "node:crypto";
import { succeed } from "../base/result.ts";
import { loadCatalogue } from "../guard/guard-files.ts";
import { isGuarding } from "../settings/guard.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import type { Settings } from "../settings/shape.ts";
import { driverNames } from "../bench/run-facts.ts";
import { ChildProcessRunner, type ChildProcessRunnerPorts } from "./jobs/child.ts";
import { refusingExecutor, activeMemories } from "../jobs/executor.ts";
import { type JobQueuePorts, JobQueue, jobStore } from "../jobs/queue.ts";
import { agentsOf } from "../jobs/compare-answers.ts";

/**
 * How long an unused service keeps running, 0 for forever: `PURSER_IDLE_MINUTES`, or else the user's setting. Milliseconds,
 * or null.
 */
export function readIdleTime(
  env: Readonly<Record<string, string | undefined>>,
  { idleMinutes }: Pick<Settings, "idleMinutes">,
): number | null {
  const text = (env["PURSER_IDLE_MINUTES"] ?? "").trim();
  const parsed = text === "" ? idleMinutes : Number(text);
  const minutes = Number.isFinite(parsed) && parsed >= 0 ? parsed : idleMinutes;
  return minutes === 0 ? null : minutes * 60_000;
}

export interface RunInput extends Pick<
  ServicePorts,
  | "env"
  | "userHome"
  | "version"
  | "build"
  | "learnWorker"
  | "golden"
  | "finishers"
  | "hooksRepair"
  | "guardReplayWorker"
  | "learningWorker"
> {
  /** Without them the service has no ledger. */
  readonly ledgerPrograms?: LedgerPrograms;
  /** Without it the service runs no benches. */
  readonly benchWorker?: string;
  /** Takes over from an older service; ends at once where the running one is as new. */
  readonly isSuccessor?: boolean;
}

/** The previous service may have much to write. Milliseconds. */
const maxHandoverMs = 15_000;
const lookAgain = 25;

async function startAfter(start: () => ReturnType<typeof Service.start>, lock: HeldLock) {
  try {
    const deadline = performance.now() + maxHandoverMs;
    for (;;) {
      const service = await start();
      if (service.ok || service.reason !== "running" || performance.now() > deadline) return service;
      await pause(lookAgain);
    }
  } finally {
    await lock.release();
  }
}

/** In a process or a thread. The exit code is 0 if it ended as intended, or if another one was already running; otherwise 1. */
export async function runService({
  ledgerPrograms: programs,
  benchWorker,
  isSuccessor = false,
  ...input
}: RunInput): Promise<void> {
  const { env, userHome } = input;
  const home = purserPaths({ env, home: userHome });
  const clock = systemClock;
  const log = new FileLog(home.log, clock);
  const context = { home, log, clock, pid: process.pid, machine: thisMachine() };
  const own = { version: input.version, build: input.build ?? null };
  const settings = new SettingsStore({
    home,
    platform: process.platform,
    clock,
    onProblem: (problem) => log.write("warn", problem.text),
  });
  const prepare = async () => {
    if (isGuarding(settings.now())) await loadCatalogue();
  };
  const lock = isSuccessor ? await takeOver({ ...context, own, prepare }) : null;
  if (isSuccessor && lock === null) return;
  const ledger =
    programs === undefined
      ? undefined
      : composeLedger({ ...context, env, userHome, platform: process.platform, programs });
  const benches =
    benchWorker === undefined
      ? undefined
      : (parts: JobParts) =>
          createJobQueue({ home, env, ledger, ...parts, program: benchWorker, log, clock });
  const start = () =>
    Service.start({
      ...input,
      ...(ledger === undefined ? {} : { ledger }),
      ...(benches === undefined ? {} : { benches }),
      ...context,
      temporary: os.tmpdir(),
      platform: process.platform,
      idleAfter: readIdleTime(env, settings.now()),
    });
  const service = lock === null ? await start() : await startAfter(start, lock);
  if (!service.ok) {
    if (service.reason === "running") return;
    log.write("error", `The service could not begin: ${service.detail.text}`);
    process.exitCode = 1;
    return;
  }
  const tidier = new HeapTidier();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void service.value.stop("signal"));
  // Threads receive no signals. The thread's process continues, and its clients may connect to another
  // service at once.
  parentPort?.once("message", () => void service.value.stop("handover"));
  const sample = sampleFolder(env);
  if (sample !== undefined) await serveSample(sample, service.value, context);
  await service.value.stopped;
  tidier.dispose();
  // Nothing is left to do; a thread that is still ending must not keep the process. Inside a thread it ends only that.
  process.exit();
}

interface JobQueueInput
  extends
    Pick<JobQueuePorts, "log" | "clock">,
    Pick<ChildProcessRunnerPorts, "program" | "env" | "ledger" | "rules" | "handovers"> {
  readonly home: PurserPaths;
}

export function createJobQueue({ home, ledger, log, clock, ...context }: JobQueueInput): JobQueue {
  const warn = (message: Sentence) => log.write("warn", message.text);
  const { execPath } = process;
  const isElectron = process.versions["electron"] !== undefined;
  return new JobQueue({
    store: jobStore(home.benches, warn),
    runner:
      sampleFolder(context.env) === undefined
        ? new ChildProcessRunner({ ...context, execPath, isElectron, ledger, log })
        : refusingExecutor,
    log,
    clock,
    memories: async (agents) =>
      ledger === undefined ? succeed({}) : await activeMemories(agents, () => ledger.ask("ruleBook", null)),
    baselines: async () => {
      const book = await ledger?.ask("goldenBook", clock.now());
      if (book?.ok !== true) return [];
      return book.value.baselines.flatMap(
        ({ agent, taskHash, model, suiteHash, driver: name, ...figures }) => {
          const driver = driverNames.find((one) => one === name);
          const { run1Tokens: run1, bestTokens: best } = figures;
          return driver === undefined ? [] : [{ agent, taskHash, model, suiteHash, driver, run1, best }];
        },
      );
    },
    newId: (ask) => {
      // Universal time first, so that sorting by name sorts by time.
      const at = new Date(clock.now())
        .toISOString()
        .replace(/[-:]|\..*/gu, "")
        .replace("T", "-");
      const agent = ask.kind === "wake" ? `wake-${ask.agent}` : agentsOf(ask)[0];
      const name = (agent ?? ask.kind).replace(/[^A-Za-z0-9]+/gu, "-").slice(0, 40);
      return `${at}-${name}-${randomBytes(2).toString("hex")}`;
    },
  });
}
