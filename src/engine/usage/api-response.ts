import type { TokenUsage } from "./token-counts.ts";

/**
 * One copy of an API response in a transcript row. A response is written once per content block, and again into every
 * fork of its session: `ResponseSet` counts it once.
 */
export interface ApiResponse {
  /** `message.id`, never empty: rows without one are skipped. */
  readonly messageId: string;
  /** `requestId`, or null on gateways and rows that have none. */
  readonly requestId: string | null;
  /** The model's id as the API named it; any `[1m]` suffix is already gone. */
  readonly model: string;
  /** Milliseconds since the epoch, or null when the row has no readable time. */
  readonly at: number | null;
  readonly usage: TokenUsage;
  readonly sessionId: string;
  /** Absolute path the agent worked in, or null when the row has none. */
  readonly cwd: string | null;
  /** The row belongs to a side conversation (a subagent, a `/btw` aside), not to the session's main chain. */
  readonly isSidechain: boolean;
}
