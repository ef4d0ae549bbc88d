import { parentPort } from "node:worker_threads";
import { findCompactions, type LearnTask } from "./learn.ts";

// One task, one answer. A failure is an uncaught rejection, which the host receives as the worker's `error`
// event.
parentPort?.once("message", (task: LearnTask) => {
  void findCompactions(task).then((found) => parentPort?.postMessage(found));
});
