import type { UsageData, QuotaSnapshots, CopilotUsage } from "./copilot-row-schema.ts";
import type { RateLimit } from "../agent-session.ts";
import { pickCounters, type Counters } from "../../usage/api-response.ts";
import { usageOfWholeInput, type TokenUsage } from "../../usage/token-counts.ts";
import { joined } from "../row-values.ts";

export interface Accounted {
  /** The session that used it: the reading one, or another for a copy. */
  readonly usedBy: string;
  /** The same in every file that has the record; null where nothing identifies it. */
  readonly key: string | null;
  readonly isReplay: boolean;
}

/**
 * Distinguishes, row by row, a session's own responses from copies of another session's. A subagent has its own id in
 * the accounting, which appears nowhere else: its responses are copies when the main conversation's last response was a
 * copy.
 */
export class Accounting {
  /** The main conversation's last response is a copy. */
  isCopying = false;

  /** @param row `id` is the row's own id */
  read(
    { accounting, apiCallId }: UsageData,
    row: { readonly sessionId: string; readonly agentId: string | null; readonly id: string | null },
  ): Accounted {
    const source = accounting?.sourceSessionId ?? row.sessionId;
    const serial = accounting?.sequence ?? apiCallId ?? row.id;
    const key = serial === null ? null : `copilot ${source} ${serial}`;
    if (row.agentId === null) this.isCopying = source !== row.sessionId;
    const isReplay = source !== row.sessionId && this.isCopying;
    return { usedBy: isReplay ? source : row.sessionId, key, isReplay };
  }
}

/** The plan's quotas, as a response reported them. Those without a limit are left out. */
export function rateLimitsIn(snapshots: QuotaSnapshots, at: number | null): RateLimit[] {
  return Object.entries(snapshots ?? {}).flatMap(([name, quota]): RateLimit[] =>
    quota.isUnlimitedEntitlement === true
      ? []
      : [
          {
            name,
            usedPercent: Math.min(100, Math.max(0, 100 - quota.remainingPercentage)),
            windowMinutes: null,
            resetsAt: quota.resetDate ?? null,
            at,
            provenance: "official",
          },
        ],
  );
}

const names = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

export function countersOf(usage: CopilotUsage): Counters {
  return pickCounters(usage, names);
}

/** Reasoning is inside the output. */
export function usageOf(counters: Counters): TokenUsage {
  return usageOfWholeInput({
    input: counters["inputTokens"] ?? 0,
    output: counters["outputTokens"] ?? 0,
    cacheRead: counters["cacheReadTokens"] ?? 0,
    cacheCreation: counters["cacheWriteTokens"] ?? 0,
  });
}

/**
 * Names the responses of one source, in its order, from three facts: the session that used them, their numbers, and how
 * often that session had the same numbers before. A response gets the same name in every source.
 */
export class NumberNames {
  readonly #times = new Map<string, number>();

  next(usedBy: string, { input, output, cacheRead, cacheCreation5m }: TokenUsage): string {
    const numbers = joined("copilot", usedBy, [input, output, cacheRead, cacheCreation5m].join("/"));
    const before = this.#times.get(numbers) ?? 0;
    this.#times.set(numbers, before + 1);
    return joined(numbers, before);
  }
}
