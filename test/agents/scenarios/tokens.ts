import { cacheCreation } from "../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";

/** Tokens as purser prints them, with both kinds of cache writes added up. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

export function tokensOf(usage: TokenUsage): Tokens {
  const { input, output, cacheRead } = usage;
  return { input, output, cacheCreation: cacheCreation(usage), cacheRead };
}

/** Only the token counts of a row with more fields. */
export function pickTokens({ input, output, cacheCreation, cacheRead }: Tokens): Tokens {
  return { input, output, cacheCreation, cacheRead };
}

export function groupTokens<Row extends Tokens>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Record<string, Tokens> {
  const groups = new Map<string, Tokens>();
  for (const row of rows) {
    const held = groups.get(keyOf(row)) ?? { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
    groups.set(keyOf(row), {
      input: held.input + row.input,
      output: held.output + row.output,
      cacheCreation: held.cacheCreation + row.cacheCreation,
      cacheRead: held.cacheRead + row.cacheRead,
    });
  }
  return Object.fromEntries(groups);
}
