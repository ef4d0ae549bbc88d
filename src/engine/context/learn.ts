import { Worker } from "node:worker_threads";
import { threadLimits } from "../base/process/thread-limits.ts";
import type { SessionRoot } from "../transcripts/agents.ts";
import { findTranscripts } from "../transcripts/claude/files.ts";
import { scanTranscripts } from "../transcripts/scan/scan.ts";
import { agentWindow, lookupModel, type Catalogue } from "../usage/catalogue.ts";
import type { ObservedCompaction } from "./headroom.ts";

/** Compaction found by the search: plain data, before the catalogue determines its window. */
export interface FoundCompaction {
  readonly model: string;
  readonly long: boolean;
  readonly preTokens: number;
  readonly at: number | null;
}

export interface LearnTask {
  readonly roots: readonly SessionRoot[];
  /** Path of the built `scan-worker`, to use every core; without it the calling thread reads alone. */
  readonly scanWorker?: string;
}

/** The agent whose past compactions are searched for: transcripts of others are too few to be scanned in bulk. */
const scannedAgent = "claude-code";

/** Searches every transcript for automatic compactions of main chains. */
export async function findCompactions({ roots, scanWorker }: LearnTask): Promise<FoundCompaction[]> {
  const own = roots.flatMap(({ agent, path }) => (agent === scannedAgent ? [path] : []));
  const { files } = findTranscripts(own);
  const main = files.filter(({ agentId }) => agentId === null);
  const threads = scanWorker === undefined ? { threads: 1 } : {};
  const { compactions } = await scanTranscripts({ files: main, workerPath: scanWorker ?? "", ...threads });
  return compactions.flatMap(({ trigger, isSidechain, preTokens, model, longContext, at }) =>
    trigger === "auto" && !isSidechain && preTokens !== null && model !== null
      ? [{ model, long: longContext, preTokens, at }]
      : [],
  );
}

/**
 * Runs {@link findCompactions} in a thread of its own, so that the caller stays responsive. Empty when
 * aborted.
 */
export function findCompactionsInWorker(
  task: LearnTask,
  { workerPath, signal }: { workerPath: string; signal: AbortSignal },
): Promise<FoundCompaction[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerPath, { resourceLimits: threadLimits });
    const stop = () => void worker.terminate();
    signal.addEventListener("abort", stop, { once: true });
    worker.once("message", (found: FoundCompaction[]) => resolve(found));
    worker.once("error", reject);
    worker.postMessage(task);
    worker.once("exit", () => {
      signal.removeEventListener("abort", stop);
      resolve([]);
    });
  });
}

/** Returns each compaction once (forks copy them), and only where the window it happened in is known. */
export function inWindows(found: readonly FoundCompaction[], catalogue: Catalogue): ObservedCompaction[] {
  const once = new Map(found.map((each) => [`${each.at} ${each.preTokens}`, each]));
  return [...once.values()].flatMap(({ model, long, preTokens, at }) => {
    const facts = lookupModel(catalogue, model);
    const window = facts === undefined ? null : agentWindow(facts, { long });
    return window === null ? [] : [{ agent: scannedAgent, model, window, preTokens, at }];
  });
}
