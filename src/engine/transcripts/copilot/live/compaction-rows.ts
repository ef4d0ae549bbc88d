import { type Compaction, type ApiResponse, isZero } from "../../../usage/api-response.ts";
import type { TranscriptEvent } from "../../agent-session.ts";
import { type NumberNames, countersOf, usageOf } from "../accounting.ts";
import { compactionUsageData } from "../copilot-row-schema.ts";
import { compactionComplete, compactionStart } from "../work-rows.ts";

/** The row, and the session at that time. */
interface CompactionMoment extends Pick<ApiResponse, "sessionId" | "cwd"> {
  readonly at: number | null;
  readonly id: string | null;
  readonly model: string | null;
}

/**
 * Reads compactions. The start row has the size that the agent compared with its threshold. The sizes in the end row
 * are local estimates, and leave out what the provider counted.
 */
export class CompactionRows {
  readonly #names: NumberNames;
  /** By the attempt's id; the last start without one has the empty id. */
  readonly #started = new Map<string, number>();
  readonly #counted = new Set<string>();

  constructor(names: NumberNames) {
    this.#names = names;
  }

  started(data: unknown): void {
    const { currentTokens, trigger, compactionAttemptId } = compactionStart.safeParse(data).data ?? {};
    if (trigger === "threshold" && typeof currentTokens === "number")
      this.#started.set(compactionAttemptId ?? "", currentTokens);
  }

  completed(data: unknown, moment: CompactionMoment): readonly TranscriptEvent[] | "malformed" {
    const row = compactionComplete.safeParse(data).data;
    if (row === undefined) return "malformed";
    const attempt = row.compactionAttemptId ?? "";
    const startTokens = this.#started.get(attempt) ?? null;
    this.#started.delete(attempt);
    const { preCompactionTokens: pre, postCompactionTokens: post, trigger, success } = row;
    const compaction: Compaction = {
      trigger: trigger === "manual" ? "manual" : startTokens === null ? "unknown" : "auto",
      preTokens: startTokens ?? pre ?? null,
      postTokens: post ?? null,
      at: moment.at,
    };
    // A compaction that failed or was cancelled still used tokens.
    return [
      ...this.#used(data, moment),
      ...(success === false ? [] : [{ kind: "compaction", compaction } as const]),
    ];
  }

  /** The compaction's own requests, as one response outside the conversation. */
  #used(data: unknown, { at, id, model, sessionId, cwd }: CompactionMoment): TranscriptEvent[] {
    const { compactionTokensUsed: used, compactionAttemptId } =
      compactionUsageData.safeParse(data).data ?? {};
    const counters = countersOf(used ?? {});
    const key = compactionAttemptId ?? id ?? "";
    if (isZero(counters) || (key !== "" && this.#counted.has(key))) return [];
    this.#counted.add(key);
    const usage = usageOf(counters);
    const response: ApiResponse = {
      messageId: this.#names.next(sessionId, usage),
      requestId: null,
      model: used?.model ?? model ?? "unknown",
      at,
      usage,
      sessionId,
      cwd,
      isSidechain: true,
    };
    return [{ kind: "response", response, isCopy: false, endsTurn: false }];
  }
}

/** State shared by the readers of one session's files. */
export class SessionState {
  /** Time of the first usage record in the session's events. Milliseconds since the epoch; null before any. */
  firstUsageAt: number | null = null;
  hasUsage = false;
  cwd: string | null = null;

  /** Clears the facts from the events before they are read again. */
  reset(): void {
    this.firstUsageAt = null;
    this.hasUsage = false;
    this.cwd = null;
  }
}
