import { parentPort } from "node:worker_threads";
import { systemClock } from "../base/clock.ts";
import { isProcessAlive } from "../base/process-alive.ts";
import { claudeRoots } from "../transcripts/claude/roots.ts";
import { findCompactionsApart } from "./learn.ts";
import { Monitor } from "./monitor.ts";
import { contextSettings } from "./settings.ts";
import type { MonitorReport, MonitorRequest, MonitorTask } from "./monitor-messages.ts";

let monitor: Monitor | undefined;

parentPort?.on("message", (request: MonitorRequest) => {
  if (request.kind === "start") monitor = start(request.task);
  else monitor?.configure(contextSettings.parse(request.settings));
});

function start({ env, home, learnWorker, settings }: MonitorTask): Monitor {
  const roots = claudeRoots({ env, home });
  const started = new Monitor(
    {
      env,
      roots,
      platform: process.platform,
      clock: systemClock,
      isAlive: isProcessAlive,
      learn: (signal) => findCompactionsApart({ roots }, { workerPath: learnWorker, signal }),
    },
    contextSettings.parse(settings),
  );
  started.onChange((snapshot) => report({ kind: "snapshot", snapshot }));
  started
    .start()
    .catch((error: unknown) =>
      report({ kind: "problem", message: `Learning from past compactions failed: ${String(error)}` }),
    );
  return started;
}

function report(message: MonitorReport): void {
  parentPort?.postMessage(message);
}
