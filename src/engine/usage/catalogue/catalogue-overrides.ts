import { joinSentences, type Sentence, sentence } from "../../base/language.ts";
import * as z from "zod/mini";
import { issueSentence, issuesOf } from "../../base/schema-issues.ts";
import { Catalogue } from "./catalogue.ts";
import {
  normaliseModelName,
  asksForLongWindow,
  type ModelFacts,
  type Price,
  type UserWindow,
} from "./model-name.ts";

const tokens = z.int().check(z.positive());
const usdPerMillion = z.number().check(z.nonnegative());

/** One model of the user's setting: tokens, and USD per million tokens. 0 means free, a missing key unknown. */
export const modelOverride = z.strictObject({
  window: z.exactOptional(tokens),
  maxOutput: z.exactOptional(tokens),
  input: z.exactOptional(usdPerMillion),
  output: z.exactOptional(usdPerMillion),
  cacheWrite5m: z.exactOptional(usdPerMillion),
  cacheWrite1h: z.exactOptional(usdPerMillion),
  cacheRead: z.exactOptional(usdPerMillion),
});

/** An answer is part of the window. */
const orderedOverride = modelOverride.check(
  z.refine(({ window, maxOutput }) => (maxOutput ?? 0) <= (window ?? Infinity), {
    path: ["maxOutput"],
    error: "must not be larger than window",
  }),
);

type ModelOverride = z.infer<typeof modelOverride>;

export interface RejectedOverride {
  /** The model's id as the user wrote it; empty if the setting as a whole is wrong. */
  readonly model: string;
  /** What is wrong, in words for the user. */
  readonly problem: Sentence;
}

/**
 * Returns the catalogue with the user's figures applied. `overrides` is the unchecked setting, an object by model id; an
 * invalid entry is left out completely and reported. A rate applies at every date and prompt size. A window under an id
 * with `[1m]` is the long one.
 */
export function withOverrides(
  catalogue: Catalogue,
  overrides: unknown,
): { catalogue: Catalogue; rejected: RejectedOverride[] } {
  const setting = z.record(z.string(), z.unknown()).safeParse(overrides);
  if (!setting.success) {
    return {
      catalogue,
      rejected: [{ model: "", problem: sentence("must be an object with a key for each model id") }],
    };
  }
  const rejected: RejectedOverride[] = [];
  const changed = new Map<string, ModelFacts>();
  for (const [model, entry] of Object.entries(setting.data)) {
    const override = orderedOverride.safeParse(entry);
    const name = normaliseModelName(model);
    if (!override.success) rejected.push({ model, problem: describeError(override.error) });
    else if (name === "") rejected.push({ model, problem: sentence("is not a model id") });
    else {
      const known = catalogue.find(model) ?? nothingKnown(name);
      const facts = changed.get(known.id) ?? known;
      changed.set(known.id, overridden(facts, override.data, asksForLongWindow(model)));
    }
  }
  if (changed.size === 0) return { catalogue, rejected };
  const models = [...catalogue.models.filter(({ id }) => !changed.has(id)), ...changed.values()];
  return { catalogue: new Catalogue({ date: catalogue.date, models }), rejected };
}

function overridden(facts: ModelFacts, override: ModelOverride, long: boolean): ModelFacts {
  const { window, maxOutput, ...rates } = override;
  const which: UserWindow = long ? "longWindow" : "agentWindow";
  const windows =
    window === undefined ? {} : { [which]: window, userWindows: [...(facts.userWindows ?? []), which] };
  const changed = { ...facts, ...windows, maxOutput: maxOutput ?? facts.maxOutput };
  return {
    ...changed,
    window: window === undefined ? facts.window : Math.max(changed.agentWindow ?? 0, changed.longWindow ?? 0),
    prices: Object.keys(rates).length === 0 ? facts.prices : repriced(facts.prices, rates),
  };
}

function repriced(
  prices: readonly Price[],
  rates: Omit<ModelOverride, "window" | "maxOutput">,
): readonly Price[] {
  const known = prices.length > 0 ? prices : [noPrice];
  return known.map(({ tiers, ...price }) => ({
    ...price,
    ...rates,
    ...(tiers === undefined ? {} : { tiers: tiers.map((tier) => ({ ...tier, ...rates })) }),
  }));
}

const noPrice: Price = {
  from: null,
  input: null,
  output: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  cacheRead: null,
};

function nothingKnown(id: string): ModelFacts {
  return {
    id,
    aliases: [],
    provider: "other",
    window: null,
    agentWindow: null,
    longWindow: null,
    maxOutput: null,
    fast: null,
    prices: [],
  };
}

function describeError(error: z.core.$ZodError): Sentence {
  return joinSentences(issuesOf(error).map(issueSentence), "; ");
}
