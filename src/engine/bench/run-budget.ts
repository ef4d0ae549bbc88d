import type { BudgetPorts } from "../budgets/check/check.ts";
import { sentence, type Sentence } from "../base/text/sentence.ts";
import { reserveTokens } from "../budgets/spending/leases.ts";
import { recordUsage } from "../budgets/spending/record-usage.ts";
import type { MayRun } from "./bench-request.ts";
import type { BenchRun } from "./run-facts.ts";

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
