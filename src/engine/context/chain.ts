import type { ApiResponse } from "../usage/api-response.ts";
import type { Compaction } from "../usage/compaction.ts";
import { occupancy } from "../usage/token-usage.ts";
import type { TranscriptEvent } from "../transcripts/event.ts";
import type { WindowEvidence } from "./window.ts";

/** No window of any model is larger; a response that claims more is a sum over several requests, not an occupancy. */
const largestWindow = 2_000_000;
/** Enough for the forecast, whatever the length of the session. */
const remembered = 64;

/**
 * One conversation with a model, folded from its events: a session's main chain, or a subagent's. It knows what is in the
 * context now, not what it all cost.
 */
export class Chain {
  /** The last response that tells an occupancy. */
  last: ApiResponse | null = null;
  /** The last compaction, while no response has come after it. */
  fresh: Compaction | null = null;
  readonly compactions: (Compaction & { readonly model: string | null })[] = [];
  /** Occupancies since the last compaction, oldest first. */
  occupancies: number[] = [];
  /** API responses so far, each once. */
  turns = 0;
  prompts = 0;
  readonly #requested: string[] = [];
  readonly #betas = new Map<string, readonly string[]>();
  readonly #largest = new Map<string, number>();

  apply(event: TranscriptEvent): void {
    switch (event.kind) {
      case "response":
        this.#respond(event.response);
        break;
      case "compaction":
        this.fresh = event.compaction;
        this.compactions.push({ ...event.compaction, model: this.last?.model ?? null });
        this.occupancies = [];
        break;
      case "prompt":
        this.prompts += 1;
        break;
      case "model":
        this.#ask(event.requestedModel);
        break;
      case "request":
        this.#betas.set(event.model, event.betas);
        break;
      case "official-total":
        for (const { model } of event.models) if (model.endsWith("]")) this.#ask(model);
        break;
      case "place":
      case "api-error":
      case "title":
        break;
    }
  }

  /** Tokens in the context now: after a compaction what it left, until the next response. Null before any. */
  occupancy(): number | null {
    if (this.fresh !== null) return this.fresh.postTokens;
    return this.last === null ? null : occupancy(this.last.usage);
  }

  /** Tokens the next request carries: the occupancy and what the model answered. */
  carried(): number | null {
    if (this.fresh !== null || this.last === null) return this.occupancy();
    return occupancy(this.last.usage) + this.last.usage.output;
  }

  evidence(): WindowEvidence | null {
    if (this.last === null) return null;
    const { model } = this.last;
    return {
      model,
      requested: this.#requested,
      betas: this.#betas.get(model) ?? [],
      largest: this.#largest.get(model) ?? 0,
    };
  }

  #respond(response: ApiResponse): void {
    const tokens = occupancy(response.usage);
    if (tokens === 0 || tokens > largestWindow) return;
    const isAgain = this.last?.messageId === response.messageId && this.fresh === null;
    this.last = response;
    this.fresh = null;
    this.#largest.set(response.model, Math.max(tokens, this.#largest.get(response.model) ?? 0));
    if (isAgain) this.occupancies.pop();
    else this.turns += 1;
    this.occupancies.push(tokens);
    if (this.occupancies.length > remembered) this.occupancies.shift();
  }

  /** The latest name comes last; a name asked for again moves there. */
  #ask(model: string): void {
    const held = this.#requested.indexOf(model);
    if (held !== -1) this.#requested.splice(held, 1);
    this.#requested.push(model);
  }
}
