import type { BudgetPorts } from "../budgets/check.ts";
import { sentence, type Sentence } from "../base/language.ts";
import { reserveTokens, recordUsage } from "../budgets/spending.ts";
import { type BenchRequest, type BenchFault, type MayRun, requestHash } from "./bench-request.ts";
import type { BenchRun } from "./run-facts.ts";
import { fail, succeed, type Result } from "../base/result.ts";
import type { StoredRequest } from "./state/state.ts";
import type { Suite } from "./suite/suite.ts";
import { priceUsage } from "../usage/price.ts";
import type { Catalogue } from "../usage/catalogue.ts";

/**
 * Typical composition of a small task's processing tokens, as seen in coding agents' sessions: most are written to the cache once. An
 * estimate.
 */
const mix = { input: 0.05, output: 0.12, cacheCreation: 0.83 };

/** Requests of a small task; rates may depend on a prompt's size, so each request is priced on its own. */
const requests = 15;

/** Returns the expected list price of that many tokens, in USD, or null if unknown. */
export function estimatePrice(
  model: string,
  { processing, cacheRead }: { readonly processing: number; readonly cacheRead: number },
  catalogue: Catalogue,
): number | null {
  const usage = {
    input: (processing * mix.input) / requests,
    output: (processing * mix.output) / requests,
    cacheCreation5m: (processing * mix.cacheCreation) / requests,
    cacheCreation1h: 0,
    cacheRead: cacheRead / requests,
  };
  const { usd } = priceUsage({ model, usage, at: null }, catalogue);
  return usd === null ? null : usd * requests;
}

/** Longer than any run may take; after a crash, reserved tokens are released by then. Milliseconds. */
const leaseTime = 30 * 60_000;

/** A project's budgets, checked before each run and charged after it. Benches belong to no convoy: the project's limits apply. */
export interface BenchBudget {
  readonly mayRun: MayRun;
  /** Resolves when the usage is written, with an error message or null. */
  readonly used: (run: BenchRun) => Promise<Sentence | null>;
}

export function benchBudget(ports: BudgetPorts): BenchBudget {
  const leases = new Map<string, string>();
  const callOf = (benchId: string, runId: string, agent: string) => ({
    convoyId: null,
    agentId: agent,
    sessionId: `bench:${benchId}`.slice(0, 200),
    runId: runId.slice(0, 200),
  });
  return {
    async mayRun({ benchId, runId, agent, model, tokens }) {
      const call = { ...callOf(benchId, runId, agent), model, projectedTokens: tokens };
      const answer = await reserveTokens(call, ports, leaseTime);
      if (!answer.ok) return { allowed: false, detail: answer.detail };
      const { answer: weighed, lease } = answer.value;
      if (lease === null)
        return { allowed: false, detail: sentence("a budget does not allow it ({0})", weighed.reason) };
      leases.set(runId, lease.id);
      return { allowed: true };
    },
    async used({ id, benchId, agent, processingTokens }) {
      const leaseId = leases.get(id);
      if (leaseId === undefined) return null;
      leases.delete(id);
      const call = callOf(benchId, id, agent);
      const recorded = await recordUsage(
        { call, usage: processingTokens, as: { kind: "call", leaseId } },
        ports,
      );
      return recorded.ok ? null : recorded.detail;
    },
  };
}

/** Restores a stored request with the suite as it is now. Fails if the suite has changed since the bench started. */
export function requestAgain(stored: StoredRequest, suite: Suite): Result<BenchRequest, BenchFault> {
  const { id, configurations, runs, driver, seed, parallel, tokenCap, shard, design } = stored;
  const taskIds = stored.tasks.map((task) => task.id);
  const about = { id, suite, configurations, taskIds, runs, driver, seed, parallel, tokenCap, shard };
  const request = { ...about, ...(design === undefined ? {} : { design }) };
  const missing = taskIds.find((task) => !suite.tasks.some((each) => each.id === task));
  if (missing !== undefined)
    return fail("suite_changed", sentence("the suite has no task {0} any more", missing));
  return requestHash(request) === stored.hash
    ? succeed(request)
    : fail(
        "suite_changed",
        sentence(
          "the suite in {0} has changed since the benchmark {1} started; start a new one",
          suite.folder,
          id,
        ),
      );
}
