import { parentPort } from "node:worker_threads";
import { scanShare, transferables, type ScanTask } from "./threads.ts";

/** Entry point of a scanning thread: waits for its task, takes units until none is left, then posts one result. */
const port = parentPort;
if (port === null) throw new Error("scan-worker runs only as a thread of scanTranscripts");
port.once("message", (task: unknown) => {
  if (!isTask(task)) throw new Error("scan-worker was given something else than a task");
  const part = scanShare(task).finish();
  port.postMessage(part, transferables(part));
});

function isTask(message: unknown): message is ScanTask {
  return typeof message === "object" && message !== null && "plan" in message && "control" in message;
}
