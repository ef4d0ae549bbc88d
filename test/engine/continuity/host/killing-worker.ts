import { parentPort } from "node:worker_threads";
import type { FromLearning } from "../../../../src/engine/continuity/host/learning-thread.ts";

/**
 * A learning thread that kills its process without a shutdown, within one task. It does so before that task's
 * message of a given number (0 is the first), or before the first message of the next task or the end.
 */
const [wanted = "", number = "0"] = (process.env["PURSER_TEST_KILL"] ?? "").split(":");
const port = parentPort;
if (port !== null) {
  const post = port.postMessage.bind(port);
  let count = -1;
  let task = "";
  port.postMessage = (message: FromLearning) => {
    if (message.kind === "progress") task = message.task;
    const isOver = count >= 0 && (task !== wanted || message.kind === "done");
    if (task === wanted || isOver) count += 1;
    if (count === Number(number) || isOver) process.kill(process.pid, "SIGKILL");
    post(message);
  };
}
await import("../../../../src/engine/continuity/host/learning-worker.ts");
