import { Worker } from "node:worker_threads";
import { threadLimits } from "../base/process.ts";
import { findTranscripts, readRow } from "../transcripts/claude.ts";
import { FileTail } from "../transcripts/file-tail.ts";
import { scanTranscripts } from "../transcripts/scan.ts";
import { ScanThreads } from "../transcripts/records.ts";
import { agentWindow, builtInCatalogue, lookupModel, type Catalogue } from "../usage/catalogue.ts";
import { isOfIdle, type ObservedCompaction, observe } from "./compaction-headroom.ts";
import { Chain } from "./live/chain.ts";
import { compactionsOfPast, type FollowedCompaction, type PastSessions } from "./live/past.ts";
import type { AgentName } from "../transcripts/agents.ts";
import type { CompactionInChain } from "./live/chain-history.ts";
import { contextWindow, type WindowContext } from "./window.ts";

/** A compaction in Claude Code's transcripts: plain data, before the catalogue determines its window. */
export interface ScannedCompaction {
  readonly model: string;
  readonly long: boolean;
  readonly preTokens: number;
  readonly at: number | null;
  /** Time of the last response before it. Milliseconds since the epoch; null where unknown. */
  readonly answeredAt?: number | null;
}

export type FoundCompaction = ScannedCompaction | FollowedCompaction;

export interface LearnTask extends PastSessions {
  /** Path of the built `scan-worker`, to use every core; without it the calling thread reads alone. */
  readonly scanWorker?: string;
}

/**
 * The agent with bulk scans of its transcripts. Other agents' past sessions are followed once, as if they were live.
 */
export const scannedAgent = "claude-code";

export async function findCompactions({ roots, now, scanWorker }: LearnTask): Promise<FoundCompaction[]> {
  const own = roots.filter(({ agent }) => agent === scannedAgent);
  const others = roots.filter(({ agent }) => agent !== scannedAgent);
  const scanned = await scanCompactions(
    own.map(({ path }) => path),
    scanWorker,
  );
  return [...scanned, ...(await compactionsOfPast({ roots: others, now }))];
}

async function scanCompactions(
  roots: readonly string[],
  scanWorker: string | undefined,
): Promise<ScannedCompaction[]> {
  const { files } = findTranscripts(roots);
  const main = files.filter(({ agentId }) => agentId === null);
  const threads = scanWorker === undefined ? {} : { threads: new ScanThreads(scanWorker) };
  const { compactions } = await scanTranscripts({ files: main, ...threads });
  return compactions.flatMap(({ trigger, isSidechain, preTokens, model, longContext, at, path }) => {
    if (trigger !== "auto" || isSidechain || preTokens === null || model === null) return [];
    const found = { model, long: longContext, preTokens, at };
    // The scan reads only the members of a row that sums need. Few compactions need a second look.
    if (!mayBeOfIdle(found)) return [found];
    const { isEarly, answeredAt } = secondLook(path, at);
    return isEarly ? [] : [{ ...found, answeredAt }];
  });
}

/** Whether a compaction was one of an idle session, if it came long after the last response. */
function mayBeOfIdle({ model, long, preTokens }: ScannedCompaction): boolean {
  const facts = lookupModel(builtInCatalogue, model);
  const window = facts === undefined ? null : agentWindow(facts, { long });
  return window !== null && isOfIdle({ preTokens, at: 0 }, { window, answeredAt: -Infinity });
}

/** Reads a transcript again for the rows around one of its compactions. */
function secondLook(path: string, at: number | null): { isEarly: boolean; answeredAt: number | null } {
  const chain = new Chain(null);
  const tail = new FileTail(path, {
    onRestart: () => undefined,
    onLine: (line) => {
      const reading = readRow(line, { sessionId: "" });
      if (reading.outcome === "known" && !reading.isSidechain)
        for (const event of reading.events) chain.apply(event);
      return reading.outcome !== "malformed";
    },
    onOversized: () => undefined,
  });
  tail.poll(Infinity);
  const found = chain.compactions.find(({ compaction }) => compaction.at === at);
  return { isEarly: found?.compaction.isEarly === true, answeredAt: found?.answeredAt ?? null };
}

/** Runs {@link findCompactions} in a separate thread, so that the caller stays responsive. Empty when aborted. */
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

/** Returns each compaction once (forks copy them), and only those in a known window. */
export function inWindows(found: readonly FoundCompaction[], catalogue: Catalogue): ObservedCompaction[] {
  const observed = found.flatMap((each) =>
    "evidence" in each
      ? observedAs(each.agent, each, { config: each.config, catalogue })
      : scannedInWindow(each, catalogue),
  );
  return [...new Map(observed.map((each) => [`${each.at} ${each.preTokens}`, each])).values()];
}

function scannedInWindow(
  { model, long, preTokens, at, answeredAt = null }: ScannedCompaction,
  catalogue: Catalogue,
): ObservedCompaction[] {
  const facts = lookupModel(catalogue, model);
  const window = facts === undefined ? null : agentWindow(facts, { long });
  if (window === null || isOfIdle({ preTokens, at }, { window, answeredAt })) return [];
  return [{ agent: scannedAgent, model, window, preTokens, at }];
}

/**
 * Returns an automatic compaction with the model and window it happened in; none for any other, or if these are
 * unknown.
 */
function observedAs(
  agent: AgentName,
  { compaction, evidence, answeredAt }: CompactionInChain,
  context: WindowContext,
): ObservedCompaction[] {
  if (evidence === null) return [];
  const window = contextWindow({ ...evidence, ...context });
  const observed = observe(compaction, { agent, model: evidence.model, window, answeredAt });
  return observed === undefined ? [] : [observed];
}

/** Returns the automatic compactions of one conversation, each with the model and window it happened in. */
export function observedIn(agent: AgentName, chain: Chain, context: WindowContext): ObservedCompaction[] {
  return chain.compactions.flatMap((each) => observedAs(agent, each, context));
}
