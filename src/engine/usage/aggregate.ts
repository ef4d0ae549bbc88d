import type { ApiResponse } from "./api-response.ts";
import type { Catalogue } from "./catalogue.ts";
import { priceUsage } from "./price.ts";
import { totalTokens, type TokenUsage } from "./token-usage.ts";

/** An API response, counted once, as far as sums need it. */
export type CountedResponse = Pick<ApiResponse, "model" | "at" | "usage" | "sessionId" | "cwd">;

export const groupings = ["day", "session", "project", "model"] as const;
export type Grouping = (typeof groupings)[number];

export interface AggregateOptions {
  readonly by: Grouping;
  /** The first and last local calendar days that count, such as `2026-11-21`; null is no limit. */
  readonly since: string | null;
  readonly until: string | null;
  /** A time's local calendar day. */
  readonly dayOf: (at: number) => string;
  readonly catalogue: Catalogue;
}

/** What responses used and cost together. */
export interface UsageSum {
  readonly responses: number;
  readonly usage: TokenUsage;
  /** At list prices, of those responses whose price is known; null when there is none. */
  readonly usd: number | null;
  /** Responses with tokens that nobody knows the price of. Above 0, `usd` is a lower bound. */
  readonly unpriced: number;
}

interface UsageRow extends UsageSum {
  /** The day, session id, folder or model; `unknown` where the response does not tell. */
  readonly key: string;
  readonly model: string;
  /** Milliseconds since the epoch of the last response, or null. */
  readonly lastAt: number | null;
}

export interface UsageReport {
  /** By key and model. Days ascend, sessions by their last response, others by name. */
  readonly rows: readonly UsageRow[];
  readonly totals: UsageSum;
  /** Responses left out because a limit was given and they have no readable time. */
  readonly undated: number;
}

/** Sums responses in groups. The order of the responses does not matter. */
export function aggregateUsage(
  responses: Iterable<CountedResponse>,
  { by, since, until, dayOf, catalogue }: AggregateOptions,
): UsageReport {
  const groups = new Map<string, Map<string, Sum>>();
  const isLimited = since !== null || until !== null;
  let undated = 0;
  let sum: Sum | undefined;
  for (const response of responses) {
    const day = response.at === null ? null : dayOf(response.at);
    if (day === null && isLimited) undated += 1;
    if (isLimited && (day === null || day < (since ?? day) || day > (until ?? day))) continue;
    const key = keyOf(by, response, day);
    // Responses of one sum mostly come together.
    if (sum?.key !== key || sum.model !== response.model) sum = sumOf(groups, key, response.model);
    sum.add(response, priceUsage(response, catalogue).usd);
  }
  const sums = [...groups.values()].flatMap((models) => [...models.values()]);
  const totals = new Sum("", "");
  for (const part of sums) totals.include(part);
  return { rows: sums.sort(inOrder(by, sums)).map((part) => part.row()), totals: totals.sum(), undated };
}

function keyOf(by: Grouping, { model, sessionId, cwd }: CountedResponse, day: string | null): string {
  switch (by) {
    case "day":
      return day ?? "unknown";
    case "session":
      return sessionId;
    case "project":
      return cwd ?? "unknown";
    case "model":
      return model;
  }
}

function sumOf(groups: Map<string, Map<string, Sum>>, key: string, model: string): Sum {
  let models = groups.get(key);
  if (models === undefined) groups.set(key, (models = new Map<string, Sum>()));
  let sum = models.get(model);
  if (sum === undefined) models.set(model, (sum = new Sum(key, model)));
  return sum;
}

function inOrder(by: Grouping, sums: readonly Sum[]): (one: Sum, other: Sum) => number {
  const byName = (one: Sum, other: Sum) => compare(one.key, other.key) || compare(one.model, other.model);
  if (by !== "session") return byName;
  const last = new Map<string, number>();
  for (const { key, lastAt } of sums) last.set(key, Math.max(last.get(key) ?? -Infinity, lastAt));
  return (one, other) => compare(last.get(one.key) ?? 0, last.get(other.key) ?? 0) || byName(one, other);
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : Number(one > other);
}

/** Costs are summed as whole billionths of a dollar, so that a sum does not depend on the order. */
const nanosPerUsd = 1_000_000_000;

class Sum {
  readonly key: string;
  readonly model: string;
  lastAt = -Infinity;
  #responses = 0;
  #input = 0;
  #output = 0;
  #cacheCreation5m = 0;
  #cacheCreation1h = 0;
  #cacheRead = 0;
  #nanos = 0;
  #priced = 0;
  #unpriced = 0;

  constructor(key: string, model: string) {
    this.key = key;
    this.model = model;
  }

  add({ usage, at }: CountedResponse, usd: number | null): void {
    this.#responses += 1;
    this.#addUsage(usage);
    if (at !== null && at > this.lastAt) this.lastAt = at;
    if (usd === null) this.#unpriced += Number(totalTokens(usage) > 0);
    else {
      this.#nanos += Math.round(usd * nanosPerUsd);
      this.#priced += 1;
    }
  }

  /** Adds another sum to this one. */
  include(other: Sum): void {
    this.#responses += other.#responses;
    this.#addUsage(other.#usage());
    this.lastAt = Math.max(this.lastAt, other.lastAt);
    this.#nanos += other.#nanos;
    this.#priced += other.#priced;
    this.#unpriced += other.#unpriced;
  }

  sum(): UsageSum {
    const isPriced = this.#priced > 0 || this.#unpriced === 0;
    const usd = isPriced ? this.#nanos / nanosPerUsd : null;
    return { responses: this.#responses, usage: this.#usage(), usd, unpriced: this.#unpriced };
  }

  /** Kept apart, not as a `TokenUsage`: there may be a hundred thousand responses, and each would make a new one. */
  #addUsage(usage: TokenUsage): void {
    this.#input += usage.input;
    this.#output += usage.output;
    this.#cacheCreation5m += usage.cacheCreation5m;
    this.#cacheCreation1h += usage.cacheCreation1h;
    this.#cacheRead += usage.cacheRead;
  }

  #usage(): TokenUsage {
    return {
      input: this.#input,
      output: this.#output,
      cacheCreation5m: this.#cacheCreation5m,
      cacheCreation1h: this.#cacheCreation1h,
      cacheRead: this.#cacheRead,
    };
  }

  row(): UsageRow {
    const { key, model, lastAt } = this;
    return { key, model, ...this.sum(), lastAt: lastAt === -Infinity ? null : lastAt };
  }
}
