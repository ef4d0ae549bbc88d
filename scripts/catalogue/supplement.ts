import type { FastPrice, Price, Rates } from "../../src/engine/usage/catalogue/model-name.ts";

/**
 * Facts that the data packages lack or state differently. They always win over the packages.
 *
 * - Claude prices: Anthropic's official price list, read 2026-11, and its notes on what changed when.
 * - Claude windows and output limits: Anthropic's model pages, read 2026-11; the window Claude Code uses with
 *   and without `[1m]`: as Claude Code 2.1.330 itself shows for each model.
 * - Fast mode's factors, the United States alone, batches and searches: Anthropic's pricing and fast mode
 *   pages, read 2026-11. Opus 4.6 and 4.7 had it until 2026-07.
 * - Fast mode's factors of GPT, called priority processing before 2026-07-30: OpenAI's fast mode page and
 *   price list, read 2026-11. Its list has no fast price for the large prompts of GPT-5.5 and before.
 * - GPT-6.1 Sol: OpenAI's model page as quoted by two resellers, read 2026-11.
 */
export interface SupplementEntry {
  readonly id: string;
  readonly provider: "anthropic" | "openai" | "google";
  readonly window: number;
  readonly agentWindow: number;
  readonly longWindow: number | null;
  readonly maxOutput: number;
  readonly fast: FastPrice | null;
  readonly prices: readonly Price[];
}

/** The day the figures below were last read. */
export const supplementDate = "2026-11-10";

/** Factors on the price of tokens, and USD per search. */
export const surcharges = { usOnly: 1.1, batch: 0.5, webSearch: 0.01 };

/** The prices of fast mode, also for models that only the packages have. */
export const fastPrices: ReadonlyMap<string, FastPrice> = new Map([
  ["claude-fable-5-2", { factor: 2, large: "same" }],
  ["claude-mythos-5-2", { factor: 2, large: "same" }],
  ["claude-opus-5-5", { factor: 2, large: "same" }],
  ["claude-opus-5", { factor: 2, large: "same" }],
  ["claude-opus-4-8", { factor: 2, large: "same" }],
  ["claude-opus-4-7", { factor: 6, large: "same" }],
  ["claude-opus-4-6", { factor: 6, large: "same" }],
  ["gpt-6.1-sol", { factor: 2, large: "times" }],
  ["gpt-6-astra", { factor: 2, large: "times" }],
  ["gpt-6-sol", { factor: 2, large: "times" }],
  ["gpt-6-luna", { factor: 2, large: "times" }],
  ["gpt-5.6-sol", { factor: 2, large: "times" }],
  ["gpt-5.6-terra", { factor: 2, large: "times" }],
  ["gpt-5.6-luna", { factor: 2, large: "times" }],
  ["gpt-5.5", { factor: 2.5, large: "standard" }],
  ["gpt-5.4", { factor: 2, large: "standard" }],
  ["gpt-5.4-mini", { factor: 2, large: "standard" }],
  ["gpt-5.3-codex", { factor: 2, large: "standard" }],
  ["gpt-5.2", { factor: 2, large: "standard" }],
  ["gpt-5.1", { factor: 2, large: "standard" }],
  ["gpt-5", { factor: 2, large: "standard" }],
]);

const million = 1_000_000;

/** Claude Code uses the whole million by default. */
const native = { window: million, agentWindow: million, longWindow: million };
/** A million tokens only with `[1m]`, or the `context-1m` beta. */
const onRequest = { window: million, agentWindow: 200_000, longWindow: million };
const small = { window: 200_000, agentWindow: 200_000, longWindow: null };

const dear = rates(10, 12.5, 20, 1, 50);
const opus = rates(5, 6.25, 10, 0.5, 25);
const oldOpus = rates(15, 18.75, 30, 1.5, 75);
const sonnet = rates(3, 3.75, 6, 0.3, 15);
const newSonnet = rates(2, 2.5, 4, 0.2, 10);

export const supplement: readonly SupplementEntry[] = [
  claude("claude-fable-5-2", native, 128_000, [always(rates(8, 10, 16, 0.2, 40))]),
  claude("claude-fable-5-1", native, 128_000, [always({ ...dear, cacheRead: 0.25 })]),
  claude("claude-fable-5", native, 128_000, [always(dear)]),
  claude("claude-mythos-5-2", native, 128_000, [always(rates(8, 10, 16, 0.2, 40))]),
  claude("claude-mythos-5-1", native, 128_000, [always({ ...dear, cacheRead: 0.25 })]),
  claude("claude-mythos-5", native, 128_000, [always(dear)]),
  claude("claude-opus-5-5", native, 128_000, [always(rates(4, 5, 8, 0.2, 20))]),
  claude("claude-opus-5", native, 128_000, [always(opus)]),
  claude("claude-opus-4-8", native, 128_000, [always(opus)]),
  claude("claude-opus-4-7", native, 128_000, [always(opus)]),
  claude("claude-opus-4-6", onRequest, 128_000, [always(opus)]),
  claude("claude-opus-4-5", small, 64_000, [always(opus)]),
  claude("claude-opus-4-1", small, 32_000, [always(oldOpus)]),
  claude("claude-opus-4", small, 32_000, [always(oldOpus)]),
  // Its cache reads became cheaper when Haiku 5.5 came out.
  claude("claude-sonnet-5-5", native, 128_000, [
    always(newSonnet),
    { from: "2026-10-07", ...newSonnet, cacheRead: 0.1 },
  ]),
  claude("claude-sonnet-5", native, 128_000, [always(newSonnet)]),
  claude("claude-sonnet-4-6", onRequest, 128_000, [always(sonnet)]),
  // While its million-token beta ran, prompts over 200k cost more; the beta ended on 2026-04-30.
  claude("claude-sonnet-4-5", onRequest, 64_000, [
    { ...always(sonnet), tiers: [{ abovePromptTokens: 200_000, ...rates(6, 7.5, 12, 0.6, 22.5) }] },
    { from: "2026-04-30", ...sonnet },
  ]),
  claude("claude-sonnet-4", onRequest, 64_000, [always(sonnet)]),
  claude("claude-haiku-5-5", native, 128_000, [
    {
      ...always(rates(0.1, 0.125, 0.2, 0.01, 0.5)),
      tiers: [{ abovePromptTokens: 100_000, ...rates(0.5, 0.625, 1, 0.05, 2.5) }],
    },
  ]),
  claude("claude-haiku-4-5", small, 64_000, [always(rates(1, 1.25, 2, 0.1, 5))]),
  {
    id: "gpt-6.1-sol",
    provider: "openai",
    window: 1_050_000,
    agentWindow: 1_050_000,
    longWindow: null,
    maxOutput: 128_000,
    fast: fastPrices.get("gpt-6.1-sol") ?? null,
    prices: [
      {
        ...always({ ...rates(2, 2.5, 0, 0.1, 10), cacheWrite1h: null }),
        tiers: [{ abovePromptTokens: 272_000, ...rates(4, 5, 0, 0.2, 15), cacheWrite1h: null }],
      },
    ],
  },
];

function claude(
  id: string,
  windows: Pick<SupplementEntry, "window" | "agentWindow" | "longWindow">,
  maxOutput: number,
  prices: readonly Price[],
): SupplementEntry {
  return {
    id,
    provider: "anthropic",
    ...windows,
    maxOutput,
    fast: fastPrices.get(id) ?? null,
    prices,
  };
}

/** Rates in the column order of the official list, USD per million tokens. */
function rates(
  input: number,
  cacheWrite5m: number,
  cacheWrite1h: number,
  cacheRead: number,
  output: number,
): Rates {
  return { input, output, cacheWrite5m, cacheWrite1h, cacheRead };
}

function always(inForce: Rates): Price {
  return { from: null, ...inForce };
}
