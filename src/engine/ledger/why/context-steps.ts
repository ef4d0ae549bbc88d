import { tokensOfCharacters, usualCharacters } from "../../base/format.ts";
import { answerOf, contextOf } from "../../usage/api-response.ts";
import { cacheCreation } from "../../usage/token-counts.ts";
import type { LedgerResponse } from "../questions/queries.ts";
import type { SessionCause } from "./found-causes.ts";
import type { TracedCall, TracedChain } from "./session-trace.ts";

/** Tokens of an output that is long, and calls that must carry it. */
const [longOutput, minCarried] = [25_000, 10];
/** Tokens, and share of the context, that make a cache rebuilt. */
const [minRebuilt, rebuiltShare] = [10_000, 0.5];
/** A prompt below this share of the one before was rewritten, or belongs to another conversation. */
const shrunk = 0.9;
/** How long a cache keeps its entries. Milliseconds. */
const lifetimes = { short: 5 * 60_000, long: 60 * 60_000 };
const scale = { charactersPerToken: usualCharacters, requests: 0 };

/** A result in the context. */
export interface Item {
  readonly call: TracedCall;
  /** Index of the response that made the call. */
  readonly maker: number;
  readonly tokens: number;
  /** Causes of its cost, with what each is about. */
  readonly causes: ReadonlyMap<SessionCause, string>;
  /** Index of the last response that carries it. */
  readonly last: number;
}

/** A response's place in its conversation. */
export interface Step {
  readonly response: LedgerResponse;
  readonly context: number;
  /** Compactions before it, and prompts that shrank: items of another stretch are gone. */
  readonly stretch: number;
  /** Tokens that its prompt added to the one before. */
  readonly grown: number;
  /** Tokens that it read from the cache, or that were sent again without one. */
  readonly carried: number;
  /** Why its context was written to the cache again; null if it was not. */
  readonly rebuilt: "pause" | "model" | "other" | null;
}

/** The responses of a conversation, each with its place in it. */
export function stepsOf({ responses, compactions }: TracedChain): Step[] {
  const steps: Step[] = [];
  let [stretch, passed, keepsLong, hasCached] = [0, 0, false, false];
  for (const response of responses) {
    const before = steps.at(-1);
    const context = contextOf(response);
    const { at, usage, model } = response;
    const tokens = usage.input + cacheCreation(usage);
    let hasCompacted = false;
    while (at !== null && (compactions[passed] ?? Infinity) <= at) {
      passed += 1;
      hasCompacted = true;
    }
    const isNew =
      before === undefined || hasCompacted || context < shrunk * before.context || before.context === 0;
    if (before !== undefined && isNew) stretch += 1;
    const grown = isNew ? tokens : Math.min(tokens, Math.max(0, context - before.context));
    const missing = isNew ? 0 : before.context - usage.cacheRead;
    const isRebuilt =
      hasCached &&
      missing >= minRebuilt &&
      missing >= rebuiltShare * (before?.context ?? 0) &&
      tokens > grown;
    const earlier = before?.response ?? response;
    const pause = (at ?? 0) - (earlier.at ?? at ?? 0);
    const why =
      earlier.model !== model
        ? "model"
        : pause > (keepsLong ? lifetimes.long : lifetimes.short)
          ? "pause"
          : "other";
    steps.push({
      response,
      context,
      stretch,
      grown,
      carried: Math.max(0, context - grown),
      rebuilt: isRebuilt ? why : null,
    });
    // An agent that reports no cache sends everything again: that is not a cache that was lost.
    hasCached = isRebuilt || usage.cacheRead >= rebuiltShare * context || cacheCreation(usage) > 0;
    keepsLong ||= usage.cacheCreation1h > 0;
  }
  return steps;
}

/** The index of the response that made each call: by its message, else by time. */
export function makersOf({ calls, responses }: TracedChain): ReadonlyMap<TracedCall, number> {
  const byMessage = new Map(responses.map(({ messageId }, index) => [messageId, index]));
  const makers = new Map<TracedCall, number>();
  let passed = 0;
  for (const call of calls) {
    const { messageId, at } = call;
    const named = messageId === null ? undefined : byMessage.get(messageId);
    if (named !== undefined) makers.set(call, named);
    else if (messageId === null && at !== null) {
      while ((responses[passed]?.at ?? Infinity) <= at) passed += 1;
      if (passed > 0) makers.set(call, passed - 1);
    }
  }
  return makers;
}

/** The results of calls that are in the context, with the causes of what each costs. */
export function itemsOf(
  { calls, compactions }: TracedChain,
  steps: readonly Step[],
  makers: ReadonlyMap<TracedCall, number>,
): Item[] {
  const lasts = lastOfStretches(steps);
  const byMaker = new Map<number, TracedCall[]>();
  for (const call of calls) {
    const maker = makers.get(call);
    if (maker === undefined) continue;
    const list = byMaker.get(maker) ?? [];
    byMaker.set(maker, list);
    list.push(call);
  }
  const items: Item[] = [];
  /** Compactions before the last read of each file. */
  const reads = new Map<string, number>();
  for (const [maker, own] of [...byMaker].sort(([one], [other]) => one - other)) {
    const [made, next] = [steps[maker], steps[maker + 1]];
    if (made === undefined) continue;
    const isCarried = next !== undefined && next.stretch === made.stretch;
    const sizes = own.map(({ resultChars }) => tokensOfCharacters(resultChars ?? 0, scale));
    const sum = sizes.reduce((total, size) => total + size, 0);
    const room = isCarried ? Math.max(0, next.grown - answerOf(made.response)) : 0;
    const fit = sum > room ? room / sum : 1;
    for (const [index, call] of own.entries()) {
      const tokens = Math.floor((sizes[index] ?? 0) * fit);
      const last = lasts.get(made.stretch) ?? maker;
      const causes = new Map<SessionCause, string>();
      const { path, tool } = call;
      if (path !== null) {
        const at = call.at ?? made.response.at ?? 0;
        const passed = compactions.filter((each) => each <= at).length;
        const known = reads.get(path);
        if (known !== undefined) causes.set(passed > known ? "read-after-compaction" : "read-again", path);
        reads.set(path, passed);
      }
      if (tokens >= longOutput && last - maker >= minCarried) causes.set("long-output", tool ?? "unknown");
      if (tokens > 0) items.push({ call, maker, tokens, causes, last });
    }
  }
  return items;
}

function lastOfStretches(steps: readonly Step[]): ReadonlyMap<number, number> {
  return new Map(steps.map(({ stretch }, index) => [stretch, index]));
}
