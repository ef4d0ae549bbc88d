import { readTokenAmount } from "../../engine/base/format.ts";

/** Reads a number of tokens from an input box. Undefined when it is invalid, or zero. */
export function tokensFrom(text: string): number | undefined {
  const tokens = readTokenAmount(text);
  return tokens === 0 ? undefined : tokens;
}
