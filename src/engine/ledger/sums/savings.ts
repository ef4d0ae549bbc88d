import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { answerOf } from "../../usage/api-response.ts";
import type { LedgerBasis } from "../basis.ts";
import { tokenKinds, TokenRates, type ByKind } from "../questions/token-rates.ts";
import { maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { makersOf, stepsOf, type Step } from "../why/context-steps.ts";
import { chainId, readSessionTrace, type TracedChain } from "../why/session-trace.ts";

const text = z.nullable(z.string());
const amount = z.nullable(z.number());

/** What a token in a context costs: over all requests that carry it. */
const carriage = {
  /** Requests that carry it; null if no request is known after it. */
  requests: amount,
  /** Its price, in tokens of new input. */
  worth: z.number(),
  /** Its price in USD; null if the price of a model is unknown. */
  usd: amount,
};
type Carriage = Readonly<{ requests: number | null; worth: number; usd: number | null }>;

const place = {
  hit: z.string(),
  /** The agent's id of the call; null for an agent without one. */
  call: text,
  agent: text,
  /** Index of the response that made the call, in its conversation; -1 if unknown. */
  maker: z.number(),
  at: amount,
};

/** An output that was shortened. */
const savedOutput = z.object({
  ...place,
  ...carriage,
  rule: z.string(),
  command: text,
  tool: text,
  program: text,
  /** Bytes that were left out. */
  bytes: z.number(),
  /** Price of one request more, without new content. In tokens of new input. */
  request: z.number(),
});

/** A call that a shortened output may have led to. */
const followUp = z.object({
  ...place,
  ...carriage,
  how: z.enum(["fetched", "again", "narrower", "error"]),
  /** Bytes of output that the agent received. */
  bytes: z.number(),
  /** Its share of the request that made it: the context once more, and the answer. In tokens of new input. */
  request: z.number(),
  requestUsd: amount,
});

const sessionSavings = z.object({ outputs: z.array(savedOutput), followUps: z.array(followUp) });
export type SavedOutput = z.infer<typeof savedOutput>;
export type FollowUp = z.infer<typeof followUp>;
export type SessionSavings = z.infer<typeof sessionSavings>;

export function parseSavings(stored: string): SessionSavings {
  return readJson(sessionSavings, stored) ?? { outputs: [], followUps: [] };
}

/** The shortened outputs of a session, and the calls in it that a shortened output of any session may have led to. */
export function readSavings(db: Database, session: string, basis: LedgerBasis): SessionSavings {
  const hits = db.rows(
    `SELECT id, agent_id, at, rule, command, tool, program, saved_bytes FROM guard_hits
     WHERE session_id = ? AND done = 'replaced' AND saved_bytes > 0 ORDER BY at, id`,
    [session],
    (cells) => ({
      hit: textIn(cells[0]),
      agent: chainId(maybeTextIn(cells[1]), session),
      at: maybeNumberIn(cells[2]),
      rule: textIn(cells[3]),
      command: maybeTextIn(cells[4]),
      tool: maybeTextIn(cells[5]),
      program: maybeTextIn(cells[6]),
      bytes: numberIn(cells[7]),
    }),
  );
  const followers = db.rows(
    "SELECT hit, agent_id, at, how, call_id, bytes FROM guard_follow_ups WHERE session_id = ? ORDER BY at, id",
    [session],
    (cells) => ({
      hit: textIn(cells[0]),
      agent: chainId(maybeTextIn(cells[1]), session),
      at: maybeNumberIn(cells[2]),
      how: followUp.shape.how.parse(cells[3]),
      call: maybeTextIn(cells[4]),
      bytes: maybeNumberIn(cells[5]) ?? 0,
    }),
  );
  if (hits.length + followers.length === 0) return { outputs: [], followUps: [] };
  const rates = new TokenRates(basis.catalogue);
  const chains = new Map(
    readSessionTrace(db, session).chains.map((chain) => [
      chain.agentId,
      new CarryingChain(chain, { rates, dayOf: basis.dayOf }),
    ]),
  );
  const saved = new Map<string, number>();
  const outputs = hits.map((hit): SavedOutput => {
    const call = callOf(hit.hit, { rule: hit.rule, session });
    if (call !== null) saved.set(call, hit.bytes);
    const chain = chains.get(hit.agent);
    const maker = chain?.makerOf(call, hit.at) ?? -1;
    return { ...hit, call, maker, ...carried(chain, maker), request: chain?.requestAt(maker).worth ?? 0 };
  });
  const followUps = followers.map(({ bytes, ...each }): FollowUp => {
    const chain = chains.get(each.agent);
    const maker = chain?.makerOf(each.call, each.at) ?? -1;
    const { worth: request, usd: requestUsd } = chain?.requestAt(maker) ?? { worth: 0, usd: 0 };
    const received = Math.max(0, bytes - (each.call === null ? 0 : (saved.get(each.call) ?? 0)));
    return { ...each, maker, bytes: received, ...carried(chain, maker), request, requestUsd };
  });
  return { outputs, followUps };
}

/** The agent's id of a hit's call: an agent without one has hits named by their time. */
function callOf(hit: string, { rule, session }: { readonly rule: string; readonly session: string }) {
  return hit.startsWith(`${session}@`) ? null : hit.slice(0, -(rule.length + 1));
}

function carried(chain: CarryingChain | undefined, maker: number): Carriage {
  return chain?.carriedAfter(maker) ?? { requests: null, worth: 0, usd: 0 };
}

/** The weights of kinds of tokens where a price is unknown: those of Anthropic's list, which others are close to. */
const usualWeights: ByKind = {
  input: 1,
  cacheCreation5m: 1.25,
  cacheCreation1h: 2,
  cacheRead: 0.1,
  output: 5,
};

/** A token of some kind in one request. */
interface Priced {
  readonly worth: number;
  /** NaN if unknown. */
  readonly usd: number;
}

/** Prices of new input, of input in a cache and of an answer, in one request. */
interface StepPrices {
  readonly written: Priced;
  readonly carried: Priced;
  readonly answer: Priced;
}

/** What a token costs that enters a conversation at some place, and stays until the context shrinks. */
class CarryingChain {
  readonly #steps: readonly Step[];
  readonly #prices: readonly StepPrices[];
  readonly #makers = new Map<string, number>();
  /** Calls by the response that made them. */
  readonly #calls = new Map<number, number>();
  /** Sums of prices of carrying a token up to each response, included. */
  readonly #sums: readonly Priced[];
  readonly #lasts: ReadonlyMap<number, number>;

  constructor(
    chain: TracedChain,
    { rates, dayOf }: { readonly rates: TokenRates; readonly dayOf: LedgerBasis["dayOf"] },
  ) {
    this.#steps = stepsOf(chain);
    this.#prices = this.#steps.map((step) => pricesOf(step, rates, dayOf));
    for (const [{ id }, maker] of makersOf(chain)) {
      this.#makers.set(id, maker);
      this.#calls.set(maker, (this.#calls.get(maker) ?? 0) + 1);
    }
    let sum: Priced = { worth: 0, usd: 0 };
    this.#sums = this.#prices.map(
      ({ carried: own }) => (sum = { worth: sum.worth + own.worth, usd: sum.usd + own.usd }),
    );
    this.#lasts = new Map(this.#steps.map(({ stretch }, index) => [stretch, index]));
  }

  /** The response that made a call: by its id, else the last one before a time. -1 if unknown. */
  makerOf(call: string | null, at: number | null): number {
    const known = call === null ? undefined : this.#makers.get(call);
    if (known !== undefined) return known;
    return at === null
      ? -1
      : this.#steps.findLastIndex(({ response }) => response.at !== null && response.at <= at);
  }

  /** The first request after a call writes its output into the context; later ones read it. */
  carriedAfter(maker: number): Carriage {
    const [made, next] = [this.#steps[maker], this.#steps[maker + 1]];
    const first = this.#prices[maker + 1];
    if (made === undefined || next === undefined || first === undefined || next.stretch !== made.stretch)
      return { requests: null, worth: 0, usd: 0 };
    const last = this.#lasts.get(made.stretch) ?? maker + 1;
    const [from, to] = [this.#sums[maker + 1], this.#sums[last]];
    const usd = first.written.usd + ((to?.usd ?? 0) - (from?.usd ?? 0));
    return {
      requests: last - maker,
      worth: first.written.worth + ((to?.worth ?? 0) - (from?.worth ?? 0)),
      usd: Number.isNaN(usd) ? null : usd,
    };
  }

  /** The share of one call in the request that made it: its context read once more, and its answer. */
  requestAt(maker: number): { readonly worth: number; readonly usd: number | null } {
    const [step, prices] = [this.#steps[maker], this.#prices[maker]];
    if (step === undefined || prices === undefined) return { worth: 0, usd: 0 };
    const [answer, calls] = [answerOf(step.response), Math.max(1, this.#calls.get(maker) ?? 1)];
    const of = (kind: "worth" | "usd") =>
      (step.context * prices.carried[kind] + answer * prices.answer[kind]) / calls;
    const usd = of("usd");
    return { worth: of("worth"), usd: Number.isNaN(usd) ? null : usd };
  }
}

function pricesOf({ response, rebuilt }: Step, rates: TokenRates, dayOf: LedgerBasis["dayOf"]): StepPrices {
  const { usage, model, at } = response;
  const own = rates.of(model, at === null ? null : dayOf(at));
  const written =
    usage.cacheCreation1h > usage.cacheCreation5m
      ? "cacheCreation1h"
      : usage.cacheCreation5m > 0
        ? "cacheCreation5m"
        : "input";
  // A cache that was lost, and an agent that reports none, send everything again.
  const carriedAs = rebuilt === null && usage.cacheRead > 0 ? "cacheRead" : written;
  return { written: priceOf(own, written), carried: priceOf(own, carriedAs), answer: priceOf(own, "output") };
}

/** A rate that a provider does not have is that of plain input. */
function priceOf(rates: ByKind, kind: (typeof tokenKinds)[number]): Priced {
  if (rates.input <= 0) return { worth: usualWeights[kind], usd: NaN };
  const usd = rates[kind] > 0 ? rates[kind] : rates.input;
  return { worth: usd / rates.input, usd };
}
