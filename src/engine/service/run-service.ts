import os from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort } from "node:worker_threads";
import { systemClock } from "../base/timing/clock.ts";
import { HeapTidier } from "../base/process/heap-tidier.ts";
import type { HeldLock } from "../base/lock/numbered.ts";
import { composeLedger } from "./compose-ledger.ts";
import { readIdleTime } from "./idle-time.ts";
import { thisMachine } from "../base/process/machine.ts";
import { createJobQueue } from "./jobs/create-jobs.ts";
import type { LedgerPrograms } from "./launch/programs.ts";
import { purserPaths } from "../base/disk/home.ts";
import type { JobParts, ServicePorts } from "./service-ports.ts";
import { sampleFolder } from "../base/process/sample-folder.ts";
import { serveSample } from "./left-sample.ts";
import { Service } from "./service.ts";
import { FileLog } from "../base/log.ts";
import { takeOver } from "./take-over.ts";

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
  /** Started to take over from an older service; it ends at once where the running one is as new. */
  readonly isSuccessor?: boolean;
}

/** How long to wait for the previous service, which may have much to write. Milliseconds. */
const longestHandover = 15_000;
const lookAgain = 25;

/** Starts once the previous service has ended. */
async function startAfter(start: () => ReturnType<typeof Service.start>, lock: HeldLock) {
  try {
    const deadline = performance.now() + longestHandover;
    for (;;) {
      const service = await start();
      if (service.ok || service.reason !== "running" || performance.now() > deadline) return service;
      await pause(lookAgain);
    }
  } finally {
    await lock.release();
  }
}

/**
 * Runs the service, in a process or a thread of its own, until it ends. The exit code is 0 when it ended as intended, or
 * was not needed because another one was already running; otherwise 1.
 */
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
  const lock = isSuccessor ? await takeOver({ ...context, own }) : null;
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
      idleAfter: readIdleTime(env),
    });
  const service = lock === null ? await start() : await startAfter(start, lock);
  if (!service.ok) {
    if (service.reason === "running") return;
    log.write("error", `The service could not begin: ${service.detail}`);
    process.exitCode = 1;
    return;
  }
  const tidier = new HeapTidier();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void service.value.stop("signal"));
  // Threads receive no signals. The thread's process goes on, and its clients may connect to another service at once.
  parentPort?.once("message", () => void service.value.stop("handover"));
  const sample = sampleFolder(env);
  if (sample !== undefined) await serveSample(sample, service.value, context);
  await service.value.stopped;
  tidier.dispose();
  // Nothing is left to do; a thread that is still ending must not keep the process. Inside a thread it ends only that.
  process.exit();
}
