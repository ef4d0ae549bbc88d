import { parentPort, workerData } from "node:worker_threads";
import { scanShare, transferables, type ScanTask } from "./share.ts";

/** Entry point of a scanning thread: takes units until none is left, then posts one result. */
function isTask(data: unknown): data is ScanTask {
  return typeof data === "object" && data !== null && "plan" in data && "control" in data;
}

if (parentPort === null || !isTask(workerData))
  throw new Error("scan-worker runs only as a thread of scanTranscripts");
const part = scanShare(workerData).finish();
parentPort.postMessage(part, transferables(part));
