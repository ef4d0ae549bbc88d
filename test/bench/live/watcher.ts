/** A thread that only follows the transcript: measures the system's part of the latency, for `live.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { followBytes } from "./bytes.ts";

followBytes(String(workerData), (bytes) => parentPort?.postMessage({ bytes, at: Date.now() }));
parentPort?.postMessage("ready");
