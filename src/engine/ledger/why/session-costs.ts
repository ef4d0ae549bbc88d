import { priceUsage } from "../../usage/price.ts";
import { nanosOf } from "../../usage/sum.ts";
import { cacheCreation } from "../../usage/token-counts.ts";
import type { LedgerBasis } from "../basis.ts";
import type { LedgerResponse } from "../questions/queries.ts";
import { TokenRates } from "../questions/token-rates.ts";
import { itemsOf, makersOf, stepsOf, type Item, type Step } from "./context-steps.ts";
import { findLoops } from "./find-loops.ts";
import {
  causeBits,
  type CauseTurn,
  type CostCell,
  type FoundCause,
  type SessionCause,
  type SessionCosts,
} from "./found-causes.ts";
import type { SessionTrace, TracedCall, TracedChain } from "./session-trace.ts";

/** Tokens. A smaller context is not worth a new session. */
export const largeContext = 100_000;
/** Tokens that would be left of a long output. */
const shortened = 2000;
/** Tokens of a handover document and of the prompt that names it. */
const handoverTokens = 2000;
/** Maximum labels and turns stored per cause and day. */
const [maxLabels, maxTurns] = [200, 8];

/**
 * Splits a session's cost by its causes. Each part of each response is in exactly one cell. A response's cost is split by
 * kind of token: what is new in its prompt, what was there before, and its answer. A result in the context has its share
 * of the prompt, estimated from its characters and bounded by the growth of the prompt.
 */
export function sessionCostsOf(trace: SessionTrace, basis: LedgerBasis): SessionCosts {
  const costs = new Costs(basis, trace.numbers);
  const base = trace.tasks > 0 ? causeBits.benchmark : 0;
  const all = [...trace.others, ...trace.chains.flatMap(({ responses }) => responses)];
  for (const response of trace.others) costs.add(response, costs.price(response).whole, base);
  for (const chain of trace.chains) new ChainCosts(chain, costs, base).add();
  for (const response of all) {
    const { whole } = costs.price(response);
    if (trace.tasks > 0) costs.find("benchmark", response, { nanos: whole, calls: 1, label: null });
    costs.find("any", response, { nanos: whole, label: null });
  }
  return costs.result();
}

interface Finding {
  readonly nanos: number;
  readonly calls?: number;
  readonly tokens?: number;
  readonly saved?: number;
  readonly label: string | null;
  readonly times?: number;
}

/** A response's cost by what it paid for. Billionths of a dollar. */
interface PriceParts {
  readonly whole: number;
  /** Input and cache writes. */
  readonly written: number;
  readonly read: number;
}

class Costs {
  readonly #basis: LedgerBasis;
  readonly #numbers: SessionTrace["numbers"];
  readonly #rates: TokenRates;
  readonly #cells = new Map<string, CostCell>();
  readonly #found = new Map<string, FoundCause>();
  readonly #turns = new Map<FoundCause, Map<string, CauseTurn>>();

  constructor(basis: LedgerBasis, numbers: SessionTrace["numbers"]) {
    this.#basis = basis;
    this.#numbers = numbers;
    this.#rates = new TokenRates(basis.catalogue);
  }

  dayOf({ at }: LedgerResponse): string | null {
    return at === null ? null : this.#basis.dayOf(at);
  }

  price(response: LedgerResponse): PriceParts {
    const whole = nanosOf(priceUsage(response, this.#basis.catalogue).usd ?? 0);
    const { usage, model } = response;
    const rates = this.#rates.of(model, this.dayOf(response));
    const written =
      usage.input * rates.input +
      usage.cacheCreation5m * rates.cacheCreation5m +
      usage.cacheCreation1h * rates.cacheCreation1h;
    const read = usage.cacheRead * rates.cacheRead;
    const sum = written + read + usage.output * rates.output;
    if (!(sum > 0)) return { whole, written: 0, read: 0 };
    const partOf = (part: number) => Math.min(whole, Math.floor((whole * part) / sum));
    const first = partOf(written);
    return { whole, written: first, read: Math.min(whole - first, partOf(read)) };
  }

  /** The price of writing this many tokens as the response did. Billionths of a dollar. */
  writing(response: LedgerResponse, tokens: number): number {
    const { input, cacheCreation5m, cacheCreation1h } = this.#rates.of(response.model, this.dayOf(response));
    const { usage } = response;
    const rate =
      usage.cacheCreation1h > 0 ? cacheCreation1h : cacheCreation(usage) > 0 ? cacheCreation5m : input;
    return nanosOf(tokens * rate);
  }

  add(response: LedgerResponse, nanos: number, causes: number): void {
    if (nanos <= 0) return;
    const day = this.dayOf(response);
    const { cwd, model } = response;
    const key = JSON.stringify([day, cwd, model, causes]);
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, { day, cwd, model, causes, nanos });
    else cell.nanos += nanos;
  }

  find(cause: FoundCause["cause"], response: LedgerResponse, finding: Finding): void {
    const { nanos, calls = 0, tokens = 0, saved = 0, label, times = 1 } = finding;
    const number = this.#numbers.get(response.messageId) ?? null;
    const found = this.foundOf(cause, response);
    found.calls += calls;
    found.tokens += tokens;
    found.saved += saved;
    if (label !== null) {
      const known = found.labels.get(label);
      if (known !== undefined) {
        known.times += times;
        known.nanos += nanos;
      } else if (found.labels.size < maxLabels) found.labels.set(label, { times, nanos });
    }
    const turns = this.#turns.get(found) ?? new Map<string, CauseTurn>();
    this.#turns.set(found, turns);
    const turn = turns.get(response.messageId);
    if (turn === undefined) turns.set(response.messageId, { messageId: response.messageId, number, nanos });
    else turn.nanos += nanos;
  }

  foundOf(cause: FoundCause["cause"], response: LedgerResponse): FoundCause {
    const day = this.dayOf(response);
    const { cwd } = response;
    const key = JSON.stringify([cause, day, cwd]);
    let found = this.#found.get(key);
    if (found === undefined)
      this.#found.set(
        key,
        (found = {
          cause,
          day,
          cwd,
          calls: 0,
          tokens: 0,
          saved: 0,
          labels: new Map<string, never>(),
          turns: [],
        }),
      );
    return found;
  }

  result(): SessionCosts {
    for (const [found, turns] of this.#turns)
      found.turns = [...turns.values()]
        .sort((one, other) => other.nanos - one.nanos || (one.number ?? 0) - (other.number ?? 0))
        .slice(0, maxTurns);
    return { cells: [...this.#cells.values()], found: [...this.#found.values()] };
  }
}

/** Adds one conversation's costs. */
class ChainCosts {
  readonly #chain: TracedChain;
  readonly #costs: Costs;
  readonly #base: number;
  readonly #steps: readonly Step[];
  readonly #items: readonly Item[];
  /** Cost of each item while it is carried. Billionths of a dollar. */
  readonly #itemNanos = new Map<Item, number>();
  /** Stretches in which a new session would have begun. */
  readonly #restarted = new Set<number>();
  /** Responses of loops; of each, the tool, and whether it could have been saved. */
  readonly #looping = new Map<number, { readonly tool: string; isLate: boolean }>();

  constructor(chain: TracedChain, costs: Costs, base: number) {
    this.#chain = chain;
    this.#costs = costs;
    this.#base = base | (chain.agentId === null ? 0 : causeBits.subagents);
    this.#steps = stepsOf(chain);
    const makers = makersOf(chain);
    this.#items = itemsOf(chain, this.#steps, makers);
    for (const loop of findLoops(chain.calls)) this.#addLoop(loop, makers);
  }

  add(): void {
    const entering = new Map<number, Item[]>();
    for (const item of this.#items) {
      const list = entering.get(item.maker + 1) ?? [];
      entering.set(item.maker + 1, list);
      list.push(item);
    }
    let carried: Item[] = [];
    for (const [index, step] of this.#steps.entries()) {
      carried = carried.filter(({ last }) => last >= index);
      const entered = entering.get(index) ?? [];
      this.#addStep(index, step, { entered, carried });
      carried.push(...entered);
    }
    for (const item of this.#items) this.#findItem(item);
    this.#findSubagent();
  }

  #addStep(
    index: number,
    { response, context, stretch, grown, carried, rebuilt }: Step,
    items: { readonly entered: readonly Item[]; readonly carried: readonly Item[] },
  ): void {
    const { whole, written, read } = this.#costs.price(response);
    const loop = this.#looping.get(index);
    const base = this.#base | (loop === undefined ? 0 : causeBits.loop);
    const tokens = response.usage.input + cacheCreation(response.usage);
    const fresh = tokens === 0 ? written : Math.floor(written * Math.min(1, grown / tokens));
    const resent = written - fresh;
    const large = context > largeContext ? (context - largeContext) / context : 0;
    this.#spread(index, fresh, base, { items: items.entered, of: grown, large: 0 });
    const before = { items: items.carried, of: carried, large };
    if (rebuilt === null) this.#spread(index, read + resent, base, before);
    else {
      this.#spread(index, resent, base | causeBits["cache-rebuilt"], { ...before, large: 0 });
      this.#spread(index, read, base, before);
      const again = Math.max(0, tokens - grown);
      const needed = this.#newSession;
      const saved =
        rebuilt === "other" ? 0 : Math.floor(resent * Math.max(0, 1 - needed / Math.max(1, again)));
      this.#find("cache-rebuilt", index, { nanos: resent, calls: 1, tokens: again, saved, label: rebuilt });
    }
    this.#costs.add(response, whole - written - read, base);
    if (loop !== undefined)
      this.#find("loop", index, { nanos: whole, saved: loop.isLate ? whole : 0, label: null });
    if (large > 0) {
      const nanos = Math.floor((read + (rebuilt === null ? resent : 0)) * large);
      const restart = this.#restarted.has(stretch) ? 0 : this.#costs.writing(response, this.#newSession);
      this.#restarted.add(stretch);
      const saved = nanos - restart;
      this.#find("large-context", index, { nanos, calls: 1, tokens: context, saved, label: null });
    }
  }

  /** Context of a new session with a handover. Tokens. */
  get #newSession(): number {
    return (this.#steps[0]?.context ?? 0) + handoverTokens;
  }

  /** Adds a part of a response's prompt: the shares of items with their causes, the rest without. */
  #spread(
    index: number,
    nanos: number,
    base: number,
    { items, of, large }: { readonly items: readonly Item[]; readonly of: number; readonly large: number },
  ): void {
    let left = nanos;
    for (const item of items) {
      if (item.causes.size === 0 || of <= 0) continue;
      const part = Math.min(left, Math.floor(nanos * Math.min(1, item.tokens / of)));
      left -= part;
      this.#itemNanos.set(item, (this.#itemNanos.get(item) ?? 0) + part);
      let causes = base;
      for (const cause of item.causes.keys()) causes |= causeBits[cause];
      this.#split(index, part, causes, large);
    }
    this.#split(index, left, base, large);
  }

  #split(index: number, nanos: number, causes: number, large: number): void {
    const response = this.#steps[index]?.response;
    if (response === undefined) return;
    const above = Math.floor(nanos * large);
    this.#costs.add(response, above, causes | causeBits["large-context"]);
    this.#costs.add(response, nanos - above, causes);
  }

  #find(cause: SessionCause, index: number, finding: Finding): void {
    const response = this.#steps[index]?.response;
    if (response !== undefined) this.#costs.find(cause, response, finding);
  }

  #findItem(item: Item): void {
    const nanos = this.#itemNanos.get(item) ?? 0;
    for (const [cause, label] of item.causes) {
      const isLong = cause === "long-output";
      const saved = isLong ? Math.floor(nanos * (1 - shortened / item.tokens)) : nanos;
      if (!isLong) {
        this.#find(cause, item.maker, { nanos, calls: 1, tokens: item.tokens, saved, label });
        continue;
      }
      const response = this.#steps[item.maker]?.response;
      if (response === undefined) continue;
      const found = this.#costs.foundOf(cause, response);
      if (item.tokens > found.tokens) {
        found.tokens = item.tokens;
        found.calls = item.last - item.maker;
      }
      this.#find(cause, item.maker, { nanos, saved, label });
    }
  }

  #findSubagent(): void {
    const { agentId, type } = this.#chain;
    if (agentId === null) return;
    for (const [index, { response }] of this.#steps.entries())
      this.#find("subagents", index, {
        nanos: this.#costs.price(response).whole,
        calls: 1,
        label: type ?? "",
        times: index === 0 ? 1 : 0,
      });
  }

  #addLoop(loop: ReturnType<typeof findLoops>[number], makers: ReadonlyMap<TracedCall, number>): void {
    let first: number | undefined;
    for (const call of loop.calls) {
      const maker = makers.get(call);
      if (maker === undefined) continue;
      first ??= maker;
      const known = this.#looping.get(maker);
      const isLate = loop.late.has(call);
      if (known === undefined) this.#looping.set(maker, { tool: loop.tool, isLate });
      else known.isLate &&= isLate;
    }
    if (first === undefined) return;
    const failures = loop.calls.filter(({ isError }) => isError).length;
    this.#find("loop", first, {
      nanos: 0,
      calls: loop.calls.length,
      tokens: failures,
      label: loop.tool,
    });
  }
}
