const units: Readonly<Record<string, number>> = { "": 1, k: 1000, m: 1_000_000, g: 1_000_000_000 };

/**
 * Parses a number of tokens as people write it: `200000`, `200,000`, `200 000`, `200k`, `1.5M`. Undefined if
 * it is not a whole number.
 */
export function readTokenAmount(text: string): number | undefined {
  const [, digits = "", unit = ""] =
    /^(\d[\d,_ ]*(?:\.\d+ *)?)(?:[^\S ]\s*)?([kmg]?)$/iu.exec(text.trim()) ?? [];
  if (digits === "") return undefined;
  const exact = Number(digits.replaceAll(/[,_ ]/gu, "")) * (units[unit.toLowerCase()] ?? 1);
  const tokens = Math.round(exact);
  // The product of a fraction and a unit may be off by a rounding error.
  return Number.isSafeInteger(tokens) && Math.abs(exact - tokens) < 1e-6 ? tokens : undefined;
}
