import { nodeSettingsDisk } from "../../src/engine/hooks/install/settings/disk.ts";
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { nodeFiles } from "../../src/engine/base/disk/file-port.ts";
import { purserPaths } from "../../src/engine/base/disk/home.ts";
import { succeed } from "../../src/engine/base/result.ts";
import { loadSuite } from "../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../src/engine/bench/suite/folders.ts";
import type { JobOrder } from "../../src/engine/jobs/bench-answers.ts";
import { isUnderWay } from "../../src/engine/jobs/compare-answers.ts";
import { activeMemories } from "../../src/engine/jobs/executor.ts";
import { JobQueue } from "../../src/engine/jobs/queue.ts";
import { jobStore } from "../../src/engine/jobs/jobs-store.ts";
import type { LedgerEntry } from "../../src/engine/ledger/entries/entries-entry.ts";
import { LedgerHost } from "../../src/engine/ledger/host/ledger-host.ts";
import { serveRuns } from "../../src/engine/bench/feature.ts";
import { serveComparisons } from "../../src/engine/compare/feature.ts";
import { serveWakes } from "../../src/engine/recurring/feature.ts";
import { serveLedger } from "../../src/engine/ledger/host/serve-ledger.ts";
import { serveRules } from "../../src/engine/rules/host/serve-rules.ts";
import { RulesService } from "../../src/engine/rules/host/rules-host.ts";
import { defaultGuardSettings } from "../../src/engine/settings/guard.ts";
import { benchJobRequests, requesterOf } from "../../src/engine/jobs/all-requests.ts";
import { open } from "../engine/ledger/support/support.ts";
import { FakeCollecting } from "../engine/service/support/fake-ledger.ts";
import { servedPeer } from "../engine/service/support/peers.ts";
import { keptOf } from "../engine/service/support/rules-service.ts";
import { scratchFolder } from "../engine/support/scratch.ts";
import { StoryClock } from "./clock.ts";
import { storyDriver, withStoryChecks } from "./driver.ts";
import { storyExecutor } from "./executor.ts";

const engine = path.resolve(import.meta.dirname, "../../src/engine");

/**
 * A purser home in which the story happens: a real ledger, real rules, and the real job queue, on the story's clock and with a made-up
 * agent. Records every entry that the ledger gets.
 */
export async function storyHome(t: Pick<TestContext, "after">) {
  const folder = scratchFolder(t);
  const scratch = scratchFolder(t);
  const clock = new StoryClock();
  const log = {
    write: (level: string, message: string) => {
      if (level !== "info") throw new Error(message);
    },
  };
  const home = purserPaths({ env: {}, home: folder });
  mkdirSync(home.benches, { recursive: true });
  const root = path.join(folder, ".claude");
  const ledger = await open(t, path.join(folder, "ledger"));
  const entries: LedgerEntry[] = [];
  const kept = keptOf(ledger);
  const { append } = kept;
  const recording = Object.assign(kept, {
    report: { ...kept.report, journal: { ...kept.report.journal, lost: 0 } },
    append: (appended: readonly LedgerEntry[]) => {
      entries.push(...appended);
      return append(appended);
    },
  });
  const host = new LedgerHost({
    log,
    clock,
    places: [],
    collect: () => new FakeCollecting([]),
    open: () => Promise.resolve(succeed(recording)),
  });
  host.start();
  let words = 0;
  const rules = new RulesService({
    ledger: host,
    clock,
    settings: () => defaultGuardSettings,
    needs: () => Promise.resolve([]),
    files: nodeFiles,
    unique: () => `story-${(words += 1)}`,
    main: { disk: nodeSettingsDisk, chosenFiles: path.join(scratch, "main-files.json") },
  });
  t.after(() => rules.stop());
  const loaded = await loadSuite(sourceSuite(engine));
  if (!loaded.ok) throw new Error(loaded.detail.text);
  const suite = withStoryChecks(loaded.value);
  const { peer } = await servedPeer(t, [
    serveLedger(host),
    serveRuns(host),
    serveComparisons(host),
    serveWakes(host),
    serveRules(rules),
  ]);
  const service = requesterOf(peer, benchJobRequests);
  const driver = storyDriver(suite, clock);
  const jobs = new JobQueue({
    store: jobStore(home.benches, (message) => log.write("warn", message.text)),
    runner: storyExecutor({ suite, driver, clock, service, root, benches: home.benches, scratch }),
    log,
    clock,
    memories: (agents) => activeMemories(agents, () => host.ask("ruleBook", null)),
    baselines: () => Promise.resolve([]),
    newId: ({ kind }) => `sample-${kind}-${(words += 1)}`,
  });
  t.after(() => jobs.stop());
  /** Runs a job to its end. */
  const run = async (ask: JobOrder): Promise<string> => {
    const started = jobs.start({ ask, env: {}, project: null });
    if (!started.ok) throw new Error(started.detail.text);
    const { id } = started.value;
    await new Promise<void>((resolve) => {
      const listening = jobs.jobs.onChange(() => {
        const state = jobs.jobs.get(id)?.state;
        if (state === undefined || isUnderWay(state)) return;
        listening.dispose();
        resolve();
      });
    });
    const state = jobs.jobs.get(id)?.state;
    if (state?.kind !== "done") throw new Error(`${id}: ${JSON.stringify(state)}`);
    return id;
  };
  return {
    folder,
    root,
    clock,
    rules,
    suite,
    jobs,
    run,
    entries,
    append: host.append.bind(host),
    benches: home.benches,
  };
}

export type StoryHome = Awaited<ReturnType<typeof storyHome>>;
