import type { UsageData } from "./copilot-row-schema.ts";

/** The response that a usage record is about. */
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
