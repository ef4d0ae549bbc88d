import { isObject } from "../../base/parse.ts";
import type { ApiResponse, LastCall } from "../../usage/api-response.ts";
import { normaliseModelName } from "../../usage/catalogue.ts";
import { addUsage, noUsage, occupancy, totalTokens, type TokenUsage } from "../../usage/token-counts.ts";
import { objectAt, type RowObject } from "./message-parts.ts";
import type { UsageRow } from "./claude-row-schema.ts";
import { unlessStandard, type PriceTerms } from "../../usage/price.ts";

/** A call that the API made by itself for a response, and that the response's own usage leaves out. */
export interface ServerCall {
  readonly type: string;
  /** Its index among the calls of its type. */
  readonly number: number;
  /** Null for the response's own model. */
  readonly model: string | null;
  readonly usage: TokenUsage;
}

export interface Iterations {
  readonly serverCalls: readonly ServerCall[];
  /** Undefined where the response's usage covers one call. */
  readonly lastCall: LastCall | null | undefined;
  /** The response's usage, where its own counters are all zero and those of its calls are not. */
  readonly usage?: TokenUsage;
}

const noIterations: Iterations = { serverCalls: [], lastCall: undefined };

/**
 * The counters of an iteration; undefined where one of them is not a count. Uses no schema, which every scan would have
 * to load.
 */
function countersIn(each: RowObject): UsageRow | undefined {
  const lifetimes = objectAt(each, "cache_creation");
  const counts = {
    input_tokens: countIn(each["input_tokens"]),
    output_tokens: countIn(each["output_tokens"]),
    cache_creation_input_tokens: countIn(each["cache_creation_input_tokens"]),
    cache_read_input_tokens: countIn(each["cache_read_input_tokens"]),
  };
  if (Object.values(counts).includes(wrong)) return undefined;
  const short = countIn(lifetimes?.["ephemeral_5m_input_tokens"]);
  const long = countIn(lifetimes?.["ephemeral_1h_input_tokens"]);
  const isKnown = lifetimes !== null && short !== wrong && long !== wrong;
  return {
    ...counts,
    cache_creation: isKnown ? { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long } : null,
  };
}

/** Marks a value that is not a count: every count is 0 or more. */
const wrong = -1;

function countIn(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : wrong;
}

/** Null for anything but a text of a sensible length. */
function nameIn(value: unknown): string | null {
  return typeof value === "string" && value.length <= maxNameLength ? value : null;
}

const maxNameLength = 1000;
/** A file may list any number; a response has a few. */
const maxIterations = 1000;

/** Calls of the response's own model: the response's usage is their sum. */
const ownTypes: ReadonlySet<string> = new Set(["message", "fallback_message"]);
/** The call that summarizes the conversation. It is not in the sum, though the response's own model makes it. */
const summary = "compaction";
/** Prefix of the types of an advisor's calls; the advisor is another model. */
const advisor = "advisor";
/** Name of a model that the row does not name. */
const unnamed = "unknown";

/**
 * Reads `usage.iterations`: the calls that the API made for one response. They combine with the response's own counters
 * by these rules:
 *
 * - `message` and `fallback_message` are in the response's counters, which are their sum. A declined attempt of a
 *   fallback is a `message` of another model; it is not billed, and the response's counters leave it out.
 * - `compaction` is not in them. It counts in addition, under the model it names, else under the response's.
 * - `advisor_message` is not in them. It counts in addition, under the model it names, else under the row's advisor.
 * - any other type that names a model is not in them, and counts in addition, under that model.
 * - any other type without a model is taken for a part of the sum.
 *
 * Where the response's own counters are all zero, the sum of its calls replaces them.
 *
 * The window holds the last `message` or `fallback_message`, never the sum. It is unknown where tools of the API ran
 * but no iterations are listed. An iteration with a wrong counter is left out.
 */
export function readIterations(
  { iterations, server_tool_use: tools }: Pick<UsageRow, "iterations" | "server_tool_use">,
  {
    model,
    usage,
    advisorModel,
  }: Pick<ApiResponse, "usage"> & {
    readonly model: string | null;
    /** Returns the advisor that the row names; null if it names none. */
    readonly advisorModel: () => string | null;
  },
): Iterations {
  const hasRun = usesServerTools(tools);
  if (!Array.isArray(iterations) || iterations.length === 0)
    return hasRun ? { serverCalls: [], lastCall: null } : noIterations;
  const serverCalls: ServerCall[] = [];
  const numbers = new Map<string, number>();
  let own = 0;
  let sum = noUsage;
  let last: UsageRow | undefined;
  const all: readonly unknown[] = iterations.slice(0, maxIterations);
  for (const each of all) {
    if (!isObject(each)) continue;
    const counts = countersIn(each);
    const type = nameIn(each["type"]) ?? "message";
    const ofModel = nameIn(each["model"]);
    const isAdvisor = type.startsWith(advisor);
    if (ownTypes.has(type) || (type !== summary && !isAdvisor && ofModel === null)) {
      if (type === "message" && ofModel !== null && model !== null && !isSameModel(ofModel, model)) continue;
      own += 1;
      last = counts;
      if (counts !== undefined) sum = addUsage(sum, readUsage(counts));
      continue;
    }
    const number = (numbers.get(type) ?? 0) + 1;
    numbers.set(type, number);
    if (counts === undefined) continue;
    const used = readUsage(counts);
    const caller = ofModel ?? (isAdvisor ? (advisorModel() ?? unnamed) : null);
    if (totalTokens(used) > 0) serverCalls.push({ type, number, model: caller, usage: used });
  }
  const isEmpty = totalTokens(usage) === 0 && totalTokens(sum) > 0;
  const whole = isEmpty ? { usage: sum } : {};
  if (own > 1) return { serverCalls, lastCall: lastCallOf(last, isEmpty ? sum : usage), ...whole };
  return { serverCalls, lastCall: own === 0 && hasRun ? null : undefined, ...whole };
}

/** Whether the API ran tools itself. The model was called again after each of them. */
function usesServerTools(tools: unknown): boolean {
  return (
    isObject(tools) &&
    Object.entries(tools).some(
      ([name, count]) => name.endsWith("_requests") && typeof count === "number" && count > 0,
    )
  );
}

/** Iterations name a model by its alias or by its whole id. */
function isSameModel(one: string, other: string): boolean {
  return normaliseModelName(one) === normaliseModelName(other);
}

/** Null for a call without its cache's counters, in a response that used the cache: its context is unknown. */
function lastCallOf(counts: UsageRow | undefined, sum: TokenUsage): LastCall | null {
  if (counts === undefined) return null;
  const used = readUsage(counts);
  const isKnown =
    typeof counts.cache_read_input_tokens === "number" ||
    typeof counts.cache_creation_input_tokens === "number";
  const context = occupancy(used);
  if (context === 0 || (!isKnown && occupancy(sum) > sum.input)) return null;
  return { context, output: used.output };
}

/**
 * Reads token counts. A cache write's total is authoritative; its breakdown by lifetime is newer, and may be missing or
 * disagree: then the rest counts as five-minute writes.
 */
export function readUsage(usage: UsageRow): TokenUsage {
  const short = usage.cache_creation?.ephemeral_5m_input_tokens ?? 0;
  const long = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? short + long;
  const cacheCreation1h = Math.min(long, written);
  return {
    input: usage.input_tokens ?? 0,
    output: usage.output_tokens ?? 0,
    cacheCreation5m: written - cacheCreation1h,
    cacheCreation1h,
    cacheRead: usage.cache_read_input_tokens ?? 0,
  };
}

/** The members of a row's `usage` that its price depends on, unchecked. */
type TermsRow = Pick<UsageRow, "speed" | "inference_geo" | "service_tier" | "server_tool_use">;

/** Upper bound: a hostile count must not produce an absurd price. */
const maxSearches = 100_000;

/**
 * Reads the terms on which a response is priced; undefined for the standard ones. A value of an unexpected form counts
 * as standard. The priority tier is priced by contract and has no list price. Code execution is priced by the hour, and
 * has no price per response.
 */
export function readTerms({
  speed,
  inference_geo: geo,
  service_tier: tier,
  server_tool_use: tools,
}: TermsRow): PriceTerms | undefined {
  const terms: PriceTerms = {
    isFast: speed === "fast",
    isUsOnly: typeof geo === "string" && geo.toLowerCase() === "us",
    isBatch: tier === "batch",
    isOtherTier: tier === "priority",
    webSearches: searchesIn(tools),
  };
  return unlessStandard(terms);
}

function searchesIn(tools: unknown): number {
  const value = isObject(tools) ? tools["web_search_requests"] : 0;
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= maxSearches
    ? value
    : 0;
}

/** The terms of a call that the API made by itself for a response with these terms. */
export function termsOfServerCall(
  terms: PriceTerms | undefined,
  isOwnModel: boolean,
): PriceTerms | undefined {
  if (terms === undefined) return undefined;
  return unlessStandard({ ...terms, isFast: terms.isFast && isOwnModel, webSearches: 0 });
}
