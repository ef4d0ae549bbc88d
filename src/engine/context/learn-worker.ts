import { parentPort } from "node:worker_threads";
import { findCompactions, type LearnTask } from "./learn.ts";

// One task, one answer; a failure is an uncaught rejection, which reaches the host as the worker's `error`.
parentPort?.once("message", (task: LearnTask) => {
  void findCompactions(task).then((found) => parentPort?.postMessage(found));
});
