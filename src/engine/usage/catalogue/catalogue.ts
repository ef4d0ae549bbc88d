import { groupBy } from "../../base/numbers.ts";
import { aliasRows, catalogueDate, fastRows, modelRows, priceRows } from "../model-prices.generated.ts";
import { normaliseModelName, type ModelFacts, type Price, type PriceTier, type Rates } from "./model-name.ts";

/** Ids come from transcripts, so their number is unbounded: above this limit the memo starts over. */
const memoLimit = 1000;

/** Finds facts of models by any of their names. Immutable except for its memo of ids already looked up. */
export class Catalogue {
  /** ISO date when the figures were gathered; undated usage is priced as on this day. */
  readonly date: string;
  readonly models: readonly ModelFacts[];
  readonly #byName: ReadonlyMap<string, ModelFacts>;
  readonly #memo = new Map<string, ModelFacts | null>();

  constructor({ date, models }: { date: string; models: readonly ModelFacts[] }) {
    this.date = date;
    this.models = models;
    this.#byName = new Map(
      models.flatMap((facts) => [facts.id, ...facts.aliases].map((name) => [name, facts] as const)),
    );
  }

  find(id: string): ModelFacts | undefined {
    const known = this.#memo.get(id);
    if (known !== undefined) return known ?? undefined;
    const facts = this.#byName.get(normaliseModelName(id));
    if (this.#memo.size >= memoLimit) this.#memo.clear();
    this.#memo.set(id, facts ?? null);
    return facts;
  }
}

/**
 * Returns the facts of the model an agent or API calls `id`, or undefined if the catalogue has no model of exactly that
 * name.
 */
export function lookupModel(catalogue: Catalogue, id: string): ModelFacts | undefined {
  return catalogue.find(id);
}

/**
 * Returns the window an agent works in, in tokens: the model's own, or the long one if the id or a setting requests it.
 */
export function agentWindow(facts: ModelFacts, { long }: { long: boolean }): number | null {
  return long ? (facts.longWindow ?? facts.agentWindow) : facts.agentWindow;
}

/** The models this version was built with. `npm run generate -- catalogue` regenerates their rows. */
export const builtInCatalogue = new Catalogue({ date: catalogueDate, models: modelsFromRows() });

function modelsFromRows(): ModelFacts[] {
  const aliases = groupBy(aliasRows, ([, id]) => id);
  const prices = groupBy(priceRows, ([id]) => id);
  const fastPrices = new Map(fastRows.map(([id, factor, large]) => [id, { factor, large }]));
  return modelRows.map(([id, provider, window, agent, long, maxOutput]) => ({
    id,
    aliases: (aliases.get(id) ?? []).map(([alias]) => alias),
    provider,
    window,
    agentWindow: agent,
    longWindow: long,
    maxOutput,
    fast: fastPrices.get(id) ?? null,
    prices: pricesFromRows(prices.get(id) ?? []),
  }));
}

/** Builds prices from rows: one above 0 prompt tokens is a tier of the row with the same date before it. */
function pricesFromRows(rows: readonly (typeof priceRows)[number][]): Price[] {
  const tiersByDate = groupBy(
    rows.filter(([, , abovePromptTokens]) => abovePromptTokens > 0),
    ([, from]) => from,
  );
  return rows
    .filter(([, , abovePromptTokens]) => abovePromptTokens === 0)
    .map((row) => {
      const from = row[1];
      const tiers = tiersByDate
        .get(from)
        ?.map((tier): PriceTier => ({ abovePromptTokens: tier[2], ...ratesFromRow(tier) }));
      return { from, ...ratesFromRow(row), ...(tiers === undefined ? {} : { tiers }) };
    });
}

function ratesFromRow(row: (typeof priceRows)[number]): Rates {
  const [, , , input, cacheWrite5m, cacheWrite1h, cacheRead, output] = row;
  return { input, output, cacheWrite5m, cacheWrite1h, cacheRead };
}
