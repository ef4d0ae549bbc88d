import type { Sentence } from "../base/text/sentence.ts";
import type { ApiResponse } from "../usage/api-response.ts";
import type { Compaction } from "../usage/compaction.ts";
import type { TokenUsage } from "../usage/token-counts.ts";
import type { RateLimit } from "./agent-session.ts";

/** What a transcript line contains, in purser's own terms. One line may yield several events, or none. */
export type TranscriptEvent =
  | { readonly kind: "place"; readonly cwd: string; readonly branch: string | null }
  | ResponseEvent
  /** The model calls a tool. A streamed response has a row of its own for each call, and forks copy them. */
  | { readonly kind: "tool-call"; readonly id: string; readonly tool: string; readonly isCopy: boolean }
  /** A script that the model wrote calls a tool. `script` is the call that runs the script. */
  | { readonly kind: "nested-call"; readonly id: string; readonly script: string }
  /** A person or a script entered a prompt: a new turn begins. */
  | { readonly kind: "prompt"; readonly at: number | null; readonly text: string }
  /** The agent wakes its model itself, because background work has ended. */
  | { readonly kind: "notification"; readonly at: number | null }
  /** The agent could not get an answer from its API. */
  | { readonly kind: "api-error"; readonly at: number | null }
  | { readonly kind: "compaction"; readonly compaction: Compaction }
  /** The agent reports that the last compaction did not wait for a full window. */
  | { readonly kind: "early-compaction" }
  /** The agent names the model it requests, including any `[1m]` suffix. */
  | { readonly kind: "model"; readonly requestedModel: string }
  /** A request is about to be sent, with these beta flags. */
  | { readonly kind: "request"; readonly model: string; readonly betas: readonly string[] }
  /** The agent informs its model of the tokens left in a context or a budget; null without a number. */
  | { readonly kind: "tokens-note"; readonly left: number | null }
  | OfficialTotalEvent
  /** The agent names the window of the model in use; null where it names none for this model. Tokens. */
  | { readonly kind: "window"; readonly tokens: number | null; readonly source: Sentence }
  /** The agent's own estimate of the context now, where no response reports it, such as after a compaction. Tokens. */
  | { readonly kind: "context"; readonly tokens: number; readonly source: Sentence }
  /** This many tokens of tool results left the context; null where the agent does not report the number. */
  | { readonly kind: "cleared"; readonly tokens: number | null; readonly at: number | null }
  /** How long the provider keeps the last response's context cached, as the agent reports it. Milliseconds. */
  | { readonly kind: "cache-life"; readonly ms: number }
  | { readonly kind: "plan-limits"; readonly limits: readonly RateLimit[] }
  /** Facts about the named subagent, else about the one that the row belongs to; null where the row has none. */
  | ({ readonly kind: "subagent"; readonly agentId?: string } & SubagentFacts)
  /** The agent finished the prompt, or abandoned it. */
  | { readonly kind: "turn-ended" }
  /**
   * The files' figures are as of this time, milliseconds since the epoch: the agent writes them only now and then, for
   * this reason.
   */
  | { readonly kind: "as-of"; readonly at: number; readonly reason: Sentence }
  /** The agent's files cannot give this figure, for this reason. */
  | { readonly kind: "untold"; readonly figure: UnreportedFigure; readonly reason: Sentence }
  | { readonly kind: "title"; readonly title: string };

export interface SubagentFacts {
  readonly type: string | null;
  readonly description: string | null;
  readonly finished: boolean | null;
}

/**
 * `usage`: the sum of tokens used, and its cost. `cache`: tokens read from a cache. `context`: the content of the
 * context.
 */
export type UnreportedFigure = "usage" | "cache" | "context";

export interface ResponseEvent {
  readonly kind: "response";
  readonly response: ApiResponse;
  /** The row copies a response of the session this one was forked from. */
  readonly isCopy: boolean;
  /** Tokens cleared from the context so far, a cumulative figure; absent where the row has none. */
  readonly cleared?: number;
  /** The model finished its answer: no tool call follows. */
  readonly endsTurn: boolean;
}

/**
 * The agent's own running total, written when its process ends. It continues across resumes, starts at the parent's
 * total in a fork, and includes subagents and the summary requests of compactions, which no row records.
 */
export interface OfficialTotalEvent {
  readonly kind: "official-total";
  readonly usd: number;
  /** By the agent's full model id, including any `[1m]` suffix. */
  readonly models: readonly { readonly model: string; readonly usage: TokenUsage }[];
}

/**
 * Result of reading one line. `unknown` and `malformed` are counted by kind and shown; `known` lines need no counting.
 */
export type RowReading =
  | {
      readonly outcome: "known";
      /** The row is part of a side conversation: a subagent's, or an aside. */
      readonly isSidechain: boolean;
      /** When the row was written. Milliseconds since the epoch, or null. */
      readonly at: number | null;
      /** The subagent the row belongs to, in files with rows of several; absent for the file's own. */
      readonly agentId?: string;
      readonly events: readonly TranscriptEvent[];
    }
  | { readonly outcome: "unknown"; readonly type: string }
  | { readonly outcome: "malformed" };
