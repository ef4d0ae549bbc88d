import { parentPort } from "node:worker_threads";
import { systemClock } from "../../base/clock.ts";
import type { Result } from "../../base/result.ts";
import { Throttle } from "../../base/throttle.ts";
import type { Acknowledgement, AppendReason } from "../commit-queue.ts";
import type { CollectReport, CollectRequest, CollectTask } from "./collect-messages.ts";
import { Collector } from "./collector.ts";
import { sourceFinder } from "./find-sources.ts";
import { KeepUp } from "./keep-up.ts";

type Appended = Result<Acknowledgement, AppendReason>;

/** At most twice a second. Milliseconds. */
const freshnessInterval = 500;

let collector: Collector | undefined;
let keepUp: KeepUp | undefined;
/** Whoever waits for the answer to the batch that is on its way. */
let settle: ((result: Appended) => void) | undefined;
const freshness = new Throttle(freshnessInterval, () => {
  if (collector !== undefined) report({ kind: "freshness", freshness: collector.freshness });
  return true;
});

parentPort?.on("message", (request: CollectRequest) => {
  switch (request.kind) {
    case "start":
      start(request.task);
      break;
    case "appended":
      settle?.(request.result);
      break;
    case "catch-up":
      void catchUp(request.id);
      break;
    case "stop":
      void stop();
      break;
  }
});

function start({ env, home, positions }: CollectTask): void {
  const onProblem = (message: string) => report({ kind: "problem", message });
  const watching = new KeepUp({ find: sourceFinder({ env, home }), onProblem });
  keepUp = watching;
  collector = new Collector({
    find: () => watching.find(),
    append: (entries) =>
      new Promise((resolve) => {
        settle = resolve;
        report({ kind: "append", entries });
      }),
    positions,
    clock: systemClock,
    onFreshness: () => freshness.request(),
    onProblem,
  });
  watching.start(collector);
}

async function catchUp(id: number): Promise<void> {
  if (collector !== undefined) report({ kind: "caught-up", id, freshness: await collector.catchUp() });
}

async function stop(): Promise<void> {
  keepUp?.dispose();
  await collector?.stop();
  freshness.dispose();
  report({ kind: "stopped" });
}

function report(message: CollectReport): void {
  parentPort?.postMessage(message);
}
