import type { ApiResponse } from "../usage/api-response.ts";
import type { Compaction } from "../usage/compaction.ts";

/** What a transcript line tells, in purser's own words. One line may tell several things, or nothing we need. */
export type TranscriptEvent =
  | { readonly kind: "place"; readonly cwd: string; readonly branch: string | null }
  | ResponseEvent
  /** A person (or a script) asked something: a new prompt begins. */
  | { readonly kind: "prompt"; readonly at: number | null }
  /** The agent could not get an answer from its API. */
  | { readonly kind: "api-error"; readonly at: number | null }
  | { readonly kind: "compaction"; readonly compaction: Compaction }
  /** The agent names the model it asks for, any `[1m]` suffix included. */
  | { readonly kind: "model"; readonly requestedModel: string }
  /** A request is about to be sent for the main conversation, with these beta flags. */
  | { readonly kind: "request"; readonly model: string; readonly betas: readonly string[] }
  /** The agent's own running total since its process began. USD. */
  | { readonly kind: "official-cost"; readonly usd: number; readonly models: readonly string[] }
  | { readonly kind: "title"; readonly title: string };

export interface ResponseEvent {
  readonly kind: "response";
  readonly response: ApiResponse;
  /** The row copies a response of the session this one was forked from. */
  readonly isCopy: boolean;
}

/** What became of one line. `unknown` and `malformed` are counted by kind and shown; `known` lines need no counting. */
export type RowReading =
  | { readonly outcome: "known"; readonly events: readonly TranscriptEvent[] }
  | { readonly outcome: "unknown"; readonly type: string }
  | { readonly outcome: "malformed" };
