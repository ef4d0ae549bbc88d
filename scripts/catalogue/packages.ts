import { findProvider, type ModelInfo, type ModelPrice } from "@pydantic/genai-prices";
import { MODEL_CONFIGS } from "llm-zoo";
import {
  normaliseModelName,
  type ModelFacts,
  type Price,
  type Provider,
  type Rates,
} from "../../src/engine/usage/catalogue/model-name.ts";

/** The data packages, pinned in package.json. `published` is the date of their registry entry. */
export const dataPackages = [
  { name: "@pydantic/genai-prices", version: "0.1.8", published: "2026-09-23", gives: "prices, names" },
  { name: "llm-zoo", version: "1.37.0", published: "2026-09-23", gives: "windows, output limits" },
];

/**
 * The models coding agents run, by the provider that makes them (a provider's list also has models it
 * resells). Older ones with a price that depends on the snapshot's date (GPT-4o) must stay out: names are
 * compared without dates.
 */
const codingModels: Readonly<Record<Exclude<Provider, "other">, RegExp>> = {
  anthropic: /^claude-(?:[a-z]+-\d|3)/u,
  openai: /^(?:gpt-[5-9]|gpt-4\.1|codex-mini|o3|o4-mini)/u,
  google: /^gemini-(?:2\.5|[3-9])/u,
};
const otherModality = /image|audio|tts|live|realtime|transcribe|search|research|computer-use/u;

/** The packages' facts about each model; `notes` lists the omitted entries and why. */
export function modelsFromPackages(): { models: ModelFacts[]; notes: string[] } {
  const models: ModelFacts[] = [];
  const notes: string[] = [];
  const limits = limitsByName();
  for (const provider of ["anthropic", "openai", "google"] as const) {
    for (const info of findProvider({ providerId: provider })?.models ?? []) {
      const id = normaliseModelName(info.id);
      if (!codingModels[provider].test(id) || otherModality.test(id)) continue;
      const { window = info.context_window, maxOutput = null } = limits.get(id) ?? {};
      if (window === undefined) {
        notes.push(`${id}: left out, no package has its window`);
        continue;
      }
      const prices = pricesOf(info);
      if (prices.length === 0) notes.push(`${id}: no usable price`);
      models.push({
        id,
        aliases: [...new Set(namesIn(info.match).map(normaliseModelName))].filter((name) => name !== id),
        provider,
        window,
        agentWindow: window,
        longWindow: null,
        maxOutput,
        fast: null,
        prices,
      });
    }
  }
  return { models, notes };
}

function limitsByName(): Map<string, { window: number; maxOutput: number }> {
  const limits = new Map<string, { window: number; maxOutput: number }>();
  for (const { fullName, contextWindow, maxOutputTokens } of Object.values(MODEL_CONFIGS)) {
    const name = normaliseModelName(fullName);
    if (!limits.has(name)) {
      limits.set(name, { window: contextWindow, maxOutput: maxOutputTokens });
    }
  }
  return limits;
}

/** Only whole names: a prefix would let a longer, unknown name match. */
function namesIn(match: ModelInfo["match"]): string[] {
  if ("equals" in match) return [match.equals];
  if ("or" in match) return match.or.flatMap(namesIn);
  return [];
}

function pricesOf(info: ModelInfo): Price[] {
  const periods = Array.isArray(info.prices) ? info.prices : [{ prices: info.prices }];
  return periods
    .map(({ constraint, prices }): Price => {
      if (constraint?.type === "time_of_date") throw new Error(`${info.id} is priced by the hour of the day`);
      const tiers = tierStarts(prices).map((abovePromptTokens) => ({
        abovePromptTokens,
        ...ratesOf(prices, abovePromptTokens),
      }));
      return {
        from: constraint?.start_date ?? null,
        ...ratesOf(prices, 0),
        ...(tiers.length === 0 ? {} : { tiers }),
      };
    })
    .filter(({ input, output }) => input !== null && output !== null);
}

function tierStarts(prices: ModelPrice): number[] {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === "object" ? price.tiers.map(({ start }) => start) : [],
  );
  return [...new Set(starts)].sort((a, b) => a - b);
}

function ratesOf(prices: ModelPrice, abovePromptTokens: number): Rates {
  const rate = (key: string): number | null => {
    const price = prices[key];
    if (typeof price !== "object") return price === 0 ? null : (price ?? null);
    const tier = price.tiers.findLast(({ start }) => start <= abovePromptTokens);
    return (abovePromptTokens === 0 ? price.base : (tier?.price ?? price.base)) || null;
  };
  return {
    input: rate("input_mtok"),
    output: rate("output_mtok"),
    cacheWrite5m: rate("cache_write_mtok"),
    cacheWrite1h: rate("cache_write_1h_mtok"),
    cacheRead: rate("cache_read_mtok"),
  };
}
