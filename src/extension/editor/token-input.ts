import { readTokenAmount } from "../../engine/base/text/token-amount.ts";

/** Reads a number of tokens as people write it into a box. Undefined when it is none, or nothing at all. */
export function tokensFrom(text: string): number | undefined {
  const tokens = readTokenAmount(text);
  return tokens === 0 ? undefined : tokens;
}
