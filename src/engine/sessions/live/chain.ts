import {
  type ApiResponse,
  isServerCall,
  contextOf,
  answerOf,
  type Compaction,
} from "../../usage/api-response.ts";
import { totalTokens, cacheCreation } from "../../usage/token-counts.ts";
import { asksForLongWindow, normaliseModelName } from "../../usage/catalogue.ts";
import type { CacheLife } from "../../transcripts/live-reader.ts";
import type { TranscriptEvent } from "../../transcripts/agent-session.ts";
import { growthPerTurn, maxSteps, type Growth } from "../compaction-forecast.ts";
import { sentence } from "../../base/language.ts";
import type { AgentFigure, WindowEvidence } from "../window.ts";
import { ChainHistory, type CompactionInChain } from "./chain-history.ts";

/** No model has a larger window; a response with more is a sum over several requests, not an occupancy. */
const maxWindow = 2_000_000;
/** Enough for an answer's usual length, however long the session. */
const remembered = 64;
/** After a compaction the agent reads files again: these first steps are not typical growth. */
const settlingSteps = 5;
/** A call that reads less of the last context from the cache came after its expiry. */
const minCached = 0.5;
/** A context that shrinks by a larger share has lost content, even without a row about it. */
const maxFall = 0.1;

interface StepFacts {
  /** Tokens cleared from the context so far. */
  readonly cleared: number;
  readonly isNew: boolean;
}

/**
 * One conversation with a model, folded from its events: a session's main chain or a subagent's. Tracks the present
 * content of the context, not its total cost.
 */
export class Chain {
  /** The last response with an occupancy. */
  last: ApiResponse | null = null;
  /** The last compaction, until a response comes after it. */
  unansweredCompaction: Compaction | null = null;
  /** Occupancies since the last compaction, oldest first. */
  occupancies: number[] = [];
  /** Size of the conversation's first context; null before any response. Tokens. */
  firstContext: number | null = null;
  /** Steps of growth so far, and those among them before which the cache had expired. */
  stepCount = 0;
  coldSteps = 0;
  /** Output tokens of the last responses, oldest first. */
  answers: number[] = [];
  /** True when the last response ended the turn and no prompt has followed. */
  ended = false;
  /** The agent last wrote to the cache for an hour, not for five minutes. */
  cachesLong = false;
  /** Tokens left, of its context or of a budget: the agent's last report to its model since the last compaction. */
  noteLeft: number | null = null;
  /** The window of the model in use, as the agent named it. */
  window: AgentFigure | null = null;
  /** The agent's own estimate of its context since the last response or compaction. */
  estimate: AgentFigure | null = null;
  /** How long a context is cached; null where unknown. */
  cacheLife: CacheLife | null;
  /** Number of times that the context shrank much without a compaction: results were cleared from it. */
  falls = 0;
  /** When results were last cleared from the context, while no response came after it. Milliseconds since the epoch. */
  clearedAt: number | null = null;
  /**
   * Growth by turn, oldest first. Excludes steps after compactions, clearings and changes of model, which are not
   * growth.
   */
  readonly #steps: number[] = [];
  /** Steps to leave out. */
  #settling = 0;
  /** Whether the last response made a step. */
  #isStep = false;
  /** Tokens cleared from the context so far, from the last response: a cumulative figure. */
  #cleared = 0;
  /** Cached per list of occupancies: every window reads it after each response. */
  #growth: Growth | undefined;
  readonly #history = new ChainHistory();
  readonly #requested: string[] = [];
  readonly #betas = new Map<string, readonly string[]>();
  readonly #largest = new Map<string, number>();
  /** Request id by message id; rows repeat a response once per content block, and at times much later. */
  readonly #requestIds = new Map<string, string | null>();
  /** Further request ids of messages that have several. */
  readonly #moreRequestIds = new Map<string, string[]>();

  constructor(cacheLife: CacheLife | null) {
    this.cacheLife = cacheLife;
  }

  /** API responses so far, each once. */
  get turns(): number {
    return this.#history.turns;
  }

  get prompts(): number {
    return this.#history.prompts;
  }

  get compactions(): readonly CompactionInChain[] {
    return this.#history.compactions;
  }

  /** Continues from an earlier file of the conversation, except for the present content of the context. */
  goOnFrom(earlier: Chain): void {
    const turns = [...earlier.#requestIds.keys()].map((id): [string, number] => [
      id,
      1 + (earlier.#moreRequestIds.get(id)?.length ?? 0),
    ]);
    this.#history.goOnFrom(earlier.#history, turns);
    this.falls = earlier.falls;
    this.stepCount = earlier.stepCount;
    this.coldSteps = earlier.coldSteps;
    this.firstContext = earlier.firstContext ?? this.firstContext;
    this.#steps.push(...earlier.#steps);
    this.#requested.push(...earlier.#requested);
    for (const [model, betas] of earlier.#betas) this.#betas.set(model, betas);
    for (const [model, tokens] of earlier.#largest) this.#largest.set(model, tokens);
  }

  /** Adds usage that is in no file any more. The present content of the context is unchanged. */
  addStored(
    responses: readonly ApiResponse[],
    others: Parameters<ChainHistory["addStored"]>[1] = { prompts: [], compactions: [] },
  ): void {
    const turns = responses.filter((response) => {
      const tokens = sentBy(response);
      return tokens !== null && !this.#requestIds.has(response.messageId);
    });
    for (const response of turns) {
      const tokens = Math.max(contextOf(response), this.#largest.get(response.model) ?? 0);
      this.#largest.set(response.model, tokens);
    }
    this.#history.addStored(
      turns.map(({ messageId }) => messageId),
      others,
    );
  }

  apply(event: TranscriptEvent): void {
    switch (event.kind) {
      case "response":
        this.#respond(event.response, event.cleared ?? 0);
        if (this.last?.messageId === event.response.messageId) this.ended = event.endsTurn;
        break;
      case "compaction":
        this.unansweredCompaction = event.compaction;
        this.#history.compaction({
          compaction: event.compaction,
          evidence: this.evidence(),
          answeredAt: this.last?.at ?? null,
        });
        this.occupancies = [];
        this.#settling = settlingSteps;
        this.#isStep = false;
        this.#cleared = 0;
        this.#growth = undefined;
        this.noteLeft = null;
        this.estimate = null;
        this.clearedAt = null;
        break;
      case "cleared":
        this.#clear(event);
        break;
      case "early-compaction":
        this.#history.earlyCompaction();
        break;
      case "tokens-note":
        this.noteLeft = event.left;
        break;
      case "window":
        this.window = event.tokens === null ? null : { tokens: event.tokens, source: event.source };
        break;
      case "context":
        this.estimate = { tokens: event.tokens, source: event.source };
        break;
      case "cache-life":
        this.cacheLife = { short: event.ms, long: event.ms };
        break;
      case "turn-ended":
        this.ended = true;
        break;
      case "prompt":
        this.#history.prompt(event);
        this.ended = false;
        break;
      case "notification":
        this.ended = false;
        break;
      case "model":
        this.#ask(event.requestedModel);
        break;
      case "request":
        this.#betas.set(normaliseModelName(event.model), event.betas);
        break;
      case "official-total":
        for (const { model } of event.models) if (asksForLongWindow(model)) this.#asked(model);
        break;
      case "place":
      case "api-error":
      case "title":
      case "tool-call":
      case "nested-call":
      case "plan-limits":
      case "subagent":
      case "untold":
      case "as-of":
        break;
    }
  }

  /**
   * Tokens in the context now. After a compaction, the size it left, until the next response. Null before any response.
   */
  occupancy(): number | null {
    if (this.estimate !== null) return this.estimate.tokens;
    if (this.unansweredCompaction !== null) return this.unansweredCompaction.postTokens;
    return this.last === null ? null : contextOf(this.last);
  }

  /** Tokens the next request carries: the occupancy plus the model's answer. */
  carried(): number | null {
    if (this.estimate !== null || this.unansweredCompaction !== null || this.last === null)
      return this.occupancy();
    return contextOf(this.last) + answerOf(this.last);
  }

  /** @param model the one in use now, if it differs from the last response's */
  evidence(model: string | undefined = this.last?.model): WindowEvidence | null {
    if (model === undefined) return null;
    return {
      model,
      requested: [...this.#requested],
      betas: this.#betas.get(normaliseModelName(model)) ?? [],
      largest: this.#largest.get(model) ?? 0,
      ...(this.window === null ? {} : { reported: this.window }),
    };
  }

  growth(): Growth {
    this.#growth ??= growthPerTurn(this.#steps);
    return this.#growth;
  }

  /**
   * Results are missing from the next request on. The remaining size is known if the agent reports how many tokens were
   * cleared.
   */
  #clear({ tokens, at }: Extract<TranscriptEvent, { kind: "cleared" }>): void {
    const before = this.occupancy();
    this.#settling = Math.max(1, this.#settling);
    this.clearedAt = at;
    if (before === null || tokens === null || tokens <= 0) return;
    const left = Math.max(0, before - tokens);
    if (before - left > maxFall * before) this.falls += 1;
    this.estimate = { tokens: left, source: sentence("what the agent said that clearing results left") };
  }

  #respond(response: ApiResponse, cleared: number): void {
    const tokens = sentBy(response);
    if (tokens === null) return;
    if (this.#isRepeated(response)) {
      this.#repeat(response);
      return;
    }
    const isNew = this.#history.turn(response.messageId);
    this.#step(response, tokens, { cleared, isNew });
    this.unansweredCompaction = null;
    this.estimate = null;
    this.clearedAt = null;
    this.firstContext ??= tokens;
    this.occupancies.push(tokens);
    if (this.occupancies.length > remembered) this.occupancies.shift();
    this.answers.push(answerOf(response));
    if (this.answers.length > remembered) this.answers.shift();
    this.#take(response, tokens);
  }

  /** Records the growth of the context, if the step is growth. Steps from an earlier file are already recorded. */
  #step({ model, usage }: ApiResponse, tokens: number, { cleared, isNew }: StepFacts): void {
    const { last } = this;
    const before = this.occupancies.at(-1);
    const isCleared = cleared > this.#cleared;
    this.#cleared = cleared;
    const isSettling = this.#settling > 0;
    this.#isStep = false;
    if (before === undefined || last === null) return;
    this.#settling = Math.max(0, this.#settling - 1);
    const isFall = before - tokens > maxFall * before;
    // A fall caused by rows before this response is counted already.
    if (isFall && isNew && this.clearedAt === null) this.falls += 1;
    const isSame = normaliseModelName(last.model) === normaliseModelName(model);
    if (isSettling || isCleared || isFall || !isSame || !isNew) return;
    this.#isStep = true;
    if (usage.cacheRead < minCached * before) this.coldSteps += 1;
    this.stepCount += 1;
    this.#steps.push(tokens - before);
    if (this.#steps.length > maxSteps) this.#steps.shift();
  }

  /** Some rows lack the request id; then the message id alone decides. */
  #isRepeated({ messageId, requestId }: ApiResponse): boolean {
    const first = this.#requestIds.get(messageId);
    if (first === undefined) {
      this.#requestIds.set(messageId, requestId);
      return false;
    }
    const more = this.#moreRequestIds.get(messageId) ?? [];
    if (requestId === null || first === null || first === requestId || more.includes(requestId)) return true;
    this.#moreRequestIds.set(messageId, [...more, requestId]);
    return false;
  }

  /** A repeated row may add to the last response; a repetition of an earlier response does not describe the present. */
  #repeat(copy: ApiResponse): void {
    const { last } = this;
    if (this.unansweredCompaction !== null || last?.messageId !== copy.messageId) return;
    const more = copy.usage.output - last.usage.output || totalTokens(copy.usage) - totalTokens(last.usage);
    if (more <= 0) return;
    const tokens = contextOf(copy);
    if (tokens === 0 || tokens > maxWindow) return;
    if (this.#isStep) {
      const grown = tokens - (this.occupancies.at(-1) ?? tokens);
      this.#steps.splice(-1, 1, (this.#steps.at(-1) ?? 0) + grown);
    }
    this.occupancies.splice(-1, 1, tokens);
    this.answers.splice(-1, 1, answerOf(copy));
    this.#take(copy, tokens);
  }

  #take(response: ApiResponse, tokens: number): void {
    this.last = response;
    this.#growth = undefined;
    this.#largest.set(response.model, Math.max(tokens, this.#largest.get(response.model) ?? 0));
    if (cacheCreation(response.usage) > 0) this.cachesLong = response.usage.cacheCreation1h > 0;
  }

  /** Moves a requested name to the end: the latest name comes last. */
  #ask(model: string): void {
    const held = this.#requested.indexOf(model);
    if (held !== -1) this.#requested.splice(held, 1);
    this.#requested.push(model);
  }

  /** A total names every model ever used, in no order, so rows about the present take precedence. */
  #asked(model: string): void {
    if (!this.#requested.includes(model)) this.#requested.unshift(model);
  }
}

/** Tokens that a response of the conversation put into its context; null for one that does not show it. */
function sentBy(response: ApiResponse): number | null {
  if (isServerCall(response.messageId)) return null;
  const tokens = contextOf(response);
  return tokens === 0 || tokens > maxWindow ? null : tokens;
}
