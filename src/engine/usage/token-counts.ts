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
