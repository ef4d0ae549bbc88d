import { totalTokens, type TokenUsage } from "./token-counts.ts";

/** Total usage and cost of responses. */
export interface UsageSum {
  readonly responses: number;
  readonly usage: TokenUsage;
  /** Sum of list prices of the responses whose price is known; null if there is none. USD. */
  readonly usd: number | null;
  /** Responses with tokens and an unknown price. Above 0, `usd` is a lower bound. */
  readonly unpriced: number;
  /** Responses with another service tier, counted in `usd` at the list price of the standard tier. */
  readonly standardTier: number;
}

/** A response's list price as `priceUsage` gives it. */
interface PricedAs {
  readonly usd: number | null;
  readonly isStandardTier?: true | undefined;
}

/** Costs are summed as whole billionths of a dollar, so that a sum does not depend on the order. */
const nanosPerUsd = 1_000_000_000;

/** Converts USD to whole billionths of a dollar. */
export function nanosOf(usd: number): number {
  return Math.round(usd * nanosPerUsd);
}

export function usdOf(nanos: number): number {
  return nanos / nanosPerUsd;
}

/** Marks a missing time in lists of numbers. */
const never = Number.MIN_SAFE_INTEGER;

/** A running sum of responses. */
export class Sum {
  /** Milliseconds since the epoch of the last response, or minus infinity. */
  lastAt = -Infinity;
  responses = 0;
  #input = 0;
  #output = 0;
  #cacheCreation5m = 0;
  #cacheCreation1h = 0;
  #cacheRead = 0;
  #nanos = 0;
  #priced = 0;
  #unpriced = 0;
  #standardTier = 0;

  add({ usage, at }: { usage: TokenUsage; at: number | null }, { usd, isStandardTier }: PricedAs): void {
    this.responses += 1;
    this.#addUsage(usage);
    if (at !== null && at > this.lastAt) this.lastAt = at;
    if (usd === null) this.#unpriced += Number(totalTokens(usage) > 0);
    else {
      this.#nanos += nanosOf(usd);
      this.#priced += 1;
      if (isStandardTier === true) this.#standardTier += 1;
    }
  }

  /** Adds another sum to this one. */
  include(other: Sum): void {
    this.responses += other.responses;
    this.#input += other.#input;
    this.#output += other.#output;
    this.#cacheCreation5m += other.#cacheCreation5m;
    this.#cacheCreation1h += other.#cacheCreation1h;
    this.#cacheRead += other.#cacheRead;
    this.lastAt = Math.max(this.lastAt, other.lastAt);
    this.#nanos += other.#nanos;
    this.#priced += other.#priced;
    this.#unpriced += other.#unpriced;
    this.#standardTier += other.#standardTier;
  }

  /** Returns all fields as numbers; `Sum.of` restores them. */
  parts(): readonly number[] {
    return [
      this.lastAt === -Infinity ? never : this.lastAt,
      this.responses,
      this.#input,
      this.#output,
      this.#cacheCreation5m,
      this.#cacheCreation1h,
      this.#cacheRead,
      this.#nanos,
      this.#priced,
      this.#unpriced,
      this.#standardTier,
    ];
  }

  /** Restores a sum from its parts. @param next returns one part after the other */
  static of(next: () => number): Sum {
    const sum = new Sum();
    const lastAt = next();
    sum.lastAt = lastAt === never ? -Infinity : lastAt;
    sum.responses = next();
    sum.#input = next();
    sum.#output = next();
    sum.#cacheCreation5m = next();
    sum.#cacheCreation1h = next();
    sum.#cacheRead = next();
    sum.#nanos = next();
    sum.#priced = next();
    sum.#unpriced = next();
    sum.#standardTier = next();
    return sum;
  }

  sum(): UsageSum {
    const isPriced = this.#priced > 0 || this.#unpriced === 0;
    return {
      responses: this.responses,
      usage: {
        input: this.#input,
        output: this.#output,
        cacheCreation5m: this.#cacheCreation5m,
        cacheCreation1h: this.#cacheCreation1h,
        cacheRead: this.#cacheRead,
      },
      usd: isPriced ? usdOf(this.#nanos) : null,
      unpriced: this.#unpriced,
      standardTier: this.#standardTier,
    };
  }

  /** Returns input, output and cache creation. Tokens. */
  processingTokens(): number {
    return this.#input + this.#output + this.#cacheCreation5m + this.#cacheCreation1h;
  }

  /**
   * Adds to separate fields instead of a `TokenUsage`: there may be a hundred thousand responses, and each would
   * create a new object.
   */
  #addUsage(usage: TokenUsage): void {
    this.#input += usage.input;
    this.#output += usage.output;
    this.#cacheCreation5m += usage.cacheCreation5m;
    this.#cacheCreation1h += usage.cacheCreation1h;
    this.#cacheRead += usage.cacheRead;
  }
}

/** Groupings that sums support for responses from any source. */
export const groupings = ["day", "session", "project", "model"] as const;
export type Grouping = (typeof groupings)[number];

interface UsageRow extends UsageSum {
  /**
   * The day, session id, folder or other value that the report is grouped by; `unknown` if the response does not
   * have it.
   */
  readonly key: string;
  readonly model: string;
  /** Milliseconds since the epoch of the last response, or null. */
  readonly lastAt: number | null;
}

export interface UsageReport {
  /** Sorted by key and model. Days ascend, sessions by their last response, others by name. */
  readonly rows: readonly UsageRow[];
  readonly totals: UsageSum;
  /** Responses left out because there is a limit and they have no readable time. */
  readonly undated: number;
}

/** Running sums by key and model. */
export class UsageGroups {
  readonly #groups = new Map<string, Map<string, Sum>>();

  sumOf(key: string, model: string): Sum {
    let models = this.#groups.get(key);
    if (models === undefined) this.#groups.set(key, (models = new Map<string, Sum>()));
    let sum = models.get(model);
    if (sum === undefined) models.set(model, (sum = new Sum()));
    return sum;
  }

  /** @param totals sum of all responses, if one may be in several groups. Default: sum of all groups. */
  report({ by, undated, totals }: { by: string; undated: number; totals?: Sum }): UsageReport {
    const all = new Sum();
    const rows = [...this.#groups].flatMap(([key, models]) => {
      const lastOfKey = Math.max(...[...models.values()].map(({ lastAt }) => lastAt));
      return Array.from(models, ([model, sum]) => {
        all.include(sum);
        const lastAt = sum.lastAt === -Infinity ? null : sum.lastAt;
        return { lastOfKey, row: { key, model, ...sum.sum(), lastAt } };
      });
    });
    rows.sort((one, other) => {
      const byTime = by === "session" ? compare(one.lastOfKey, other.lastOfKey) : 0;
      return byTime || compare(one.row.key, other.row.key) || compare(one.row.model, other.row.model);
    });
    return { rows: rows.map(({ row }) => row), totals: (totals ?? all).sum(), undated };
  }
}

function compare<Value extends string | number>(one: Value, other: Value): number {
  return one < other ? -1 : Number(one > other);
}
