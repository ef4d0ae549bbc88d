import { type Clock, Throttle } from "../../base/timing.ts";
import type { SessionRoot } from "../../transcripts/agents.ts";
import type { Freshness } from "../ledger-answers.ts";
import type { Ledger } from "../ledger.ts";
import type { CollectTask } from "./collecting.ts";
import { Collector } from "./collector.ts";
import { loadSourceFinder } from "./find-sources.ts";
import { SourceWatcher } from "./source-watcher.ts";

export interface CollectPorts {
  readonly ledger: Pick<Ledger, "append" | "ask">;
  readonly clock: Clock;
  /** Called at most twice a second. */
  readonly onFreshness: (freshness: Freshness) => void;
  /** Reports a problem that collecting survives, in words; for the log. */
  readonly onProblem: (message: string) => void;
}

export interface LocalCollecting {
  catchUp(): Promise<Freshness>;
  /** Also collects below these roots from now on. A known one changes nothing. */
  addRoots(roots: readonly SessionRoot[]): void;
  /** Resolves after the write in progress. */
  stop(): Promise<void>;
}

/** Milliseconds. */
const freshnessInterval = 500;

/** Collects agents' transcripts into the ledger and follows them, in the ledger's own thread. */
export async function startCollecting(
  task: CollectTask,
  { ledger, clock, ...listeners }: CollectPorts,
): Promise<LocalCollecting> {
  const { onProblem } = listeners;
  const sourceFinder = await loadSourceFinder();
  const finder = sourceFinder(task);
  const watching = new SourceWatcher({ find: () => finder.find(), onProblem });
  const freshness = new Throttle(freshnessInterval, () => {
    listeners.onFreshness(collector.freshness);
    return true;
  });
  const collector = new Collector({
    find: () => watching.find(),
    append: (entries) => ledger.append(entries),
    positions: { all: () => ledger.ask("readFiles", null), of: (path) => ledger.ask("position", path) },
    clock,
    onFreshness: () => freshness.request(),
    onProblem,
  });
  watching.start(collector);
  return {
    catchUp: () => collector.catchUp(),
    addRoots(roots) {
      const added = roots.filter((root) => finder.add(root));
      if (added.length > 0) void collector.catchUp();
    },
    async stop() {
      watching.dispose();
      await collector.stop();
      freshness.dispose();
    },
  };
}
