import type { Sentence } from "../base/language.ts";

/**
 * Usage of one or more API responses, in tokens. The five kinds are disjoint, so they may be added. `input` excludes
 * everything read from or written to the cache (the Messages API's `input_tokens`).
 */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation5m: number;
  readonly cacheCreation1h: number;
  readonly cacheRead: number;
}

export const noUsage: TokenUsage = {
  input: 0,
  output: 0,
  cacheCreation5m: 0,
  cacheCreation1h: 0,
  cacheRead: 0,
};

export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheCreation5m: a.cacheCreation5m + b.cacheCreation5m,
    cacheCreation1h: a.cacheCreation1h + b.cacheCreation1h,
    cacheRead: a.cacheRead + b.cacheRead,
  };
}

/**
 * Converts the usage of an agent whose input includes cache reads and cache writes, without the cache's lifetime. Cache
 * tokens beyond the input are dropped.
 */
export function usageOfWholeInput(reported: {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
}): TokenUsage {
  const cacheRead = Math.min(reported.input, reported.cacheRead);
  const cacheCreation5m = Math.min(reported.input - cacheRead, reported.cacheCreation);
  return {
    input: reported.input - cacheRead - cacheCreation5m,
    output: reported.output,
    cacheCreation5m,
    cacheCreation1h: 0,
    cacheRead,
  };
}

export function cacheCreation(usage: TokenUsage): number {
  return usage.cacheCreation5m + usage.cacheCreation1h;
}

/** Returns occupancy: the tokens that the request put into the context window. */
export function occupancy(usage: TokenUsage): number {
  return usage.input + cacheCreation(usage) + usage.cacheRead;
}

export function totalTokens(usage: TokenUsage): number {
  return occupancy(usage) + usage.output;
}

/**
 * Source of a number: reported by the agent or API, counted by us, estimated by a model of ours, or
 * unknown. An unknown number is `null`, never 0.
 */
export type Provenance = "official" | "measured" | "estimated" | "unknown";

/**
 * A number with its provenance. `source` explains its basis in a few plain words, for a tooltip. `isAssumed` marks a
 * number that rests only on the agent's assumption, so that the user is offered to set the right one.
 */
export type Figure =
  | {
      readonly value: number;
      readonly provenance: Exclude<Provenance, "unknown">;
      readonly source: Sentence;
      readonly isAssumed?: true;
    }
  | { readonly value: null; readonly provenance: "unknown"; readonly source: Sentence };

/**
 * Marks a formatted figure with its provenance, the same in every table: `~1.92` is an estimate, `1.92*` is official,
 * and a measured figure has no mark. A bound, such as `< $0.001`, already shows that it is not exact.
 */
export function marked(text: string, provenance: Provenance): string {
  if (provenance === "official") return `${text}*`;
  return provenance === "estimated" && !/^[<>]/u.test(text) ? `~${text}` : text;
}

export function unknownFigure(source: Sentence): Figure {
  return { value: null, provenance: "unknown", source };
}
