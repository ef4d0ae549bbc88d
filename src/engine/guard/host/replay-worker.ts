import { parentPort } from "node:worker_threads";
import { withOverrides, builtInCatalogue } from "../../usage/catalogue.ts";
import { replayHistory } from "./replay-history.ts";
import type { ReplayMessage, ReplayTask } from "./history-player.ts";

/** Never aborted: the thread is ended from outside. */
const { signal } = new AbortController();

function post(message: ReplayMessage): void {
  parentPort?.postMessage(message);
}

// One task, one answer. A failure is an uncaught rejection, which the host receives as the worker's `error` event.
parentPort?.once("message", ({ models, now, ...task }: ReplayTask) => {
  void replayHistory({
    ...task,
    clock: { now: () => now },
    catalogue: withOverrides(builtInCatalogue, models).catalogue,
    signal,
    onProgress: (files, of) => post({ kind: "progress", files, of }),
    onProblem: (message) => post({ kind: "problem", message }),
  }).then((done) => {
    if (done.ok) post({ kind: "done", replay: done.value });
  });
});
