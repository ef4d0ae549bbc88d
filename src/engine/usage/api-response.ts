import type { PriceTerms } from "./price-terms.ts";
import { occupancy, type TokenUsage } from "./token-counts.ts";

/**
 * One copy of an API response in a transcript row. A response is written once per content block, and again into every
 * fork of its session: `ResponseSet` counts it once.
 */
export interface ApiResponse {
  /**
   * `message.id`, never empty. `rowId` makes the id of a row without one, and `serverCallId` that of a call by the API
   * itself.
   */
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
  /** Absent for the standard terms. */
  readonly terms?: PriceTerms | undefined;
  /** The last of several calls that `usage` sums up; null where unknown, absent where `usage` covers one call. */
  readonly lastCall?: LastCall | null | undefined;
}

/** Tokens of the last call that the API made for a response. */
export interface LastCall {
  /** Tokens it put into the context window. */
  readonly context: number;
  readonly output: number;
}

/** Returns what a response left in the context window, without its answer; 0 where unknown. Tokens. */
export function contextOf({ usage, lastCall }: Pick<ApiResponse, "usage" | "lastCall">): number {
  return lastCall === undefined ? occupancy(usage) : (lastCall?.context ?? 0);
}

/** Returns the answer that follows the context of a response. Tokens. */
export function answerOf({ usage, lastCall }: Pick<ApiResponse, "usage" | "lastCall">): number {
  return lastCall === undefined ? usage.output : (lastCall?.output ?? 0);
}

const [serverCall, request, row] = ["server-call:", "request:", "row:"];

/** The id of a call that the API made by itself for a response: to an advisor, or for a summary. */
export function serverCallId(messageId: string, type: string, number: number): string {
  return `${serverCall}${type}:${number}:${messageId}`;
}

/** Whether the id belongs to a call that counts, but is not part of the conversation. */
export function isServerCall(messageId: string): boolean {
  return messageId.startsWith(serverCall);
}

/** The id of a response without a message id: by its request, else by the row's own id. Null without either. */
export function rowId(requestId: string | null, uuid: string | null): string | null {
  if (requestId !== null) return `${request}${requestId}`;
  return uuid === null ? null : `${row}${uuid}`;
}

/** Whether a response is identified by its row alone, so that a repetition of it cannot be recognised. */
export function isByRow(messageId: string): boolean {
  return messageId.startsWith(row);
}
