/** A thread that follows the transcript and does nothing else: what of the latency is the system's, for `live.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { followBytes } from "./live-bytes.ts";

followBytes(String(workerData), (bytes) => parentPort?.postMessage({ bytes, at: Date.now() }));
parentPort?.postMessage("ready");
