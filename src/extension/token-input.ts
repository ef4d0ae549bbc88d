/** Reads a number of tokens as people write it: `200000`, `200,000`, `200k`, `1M`. Undefined when it is none. */
export function tokensFrom(text: string): number | undefined {
  const [, digits, unit] = /^(\d[\d,_ ]*(?:\.\d+)?)\s*([km]?)$/iu.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  const factor = unit?.toLowerCase() === "m" ? 1_000_000 : unit?.toLowerCase() === "k" ? 1000 : 1;
  const tokens = Math.round(Number(digits.replace(/[,_ ]/gu, "")) * factor);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
