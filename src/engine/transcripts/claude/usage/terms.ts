import { isObject } from "../../../base/parse.ts";
import type { UsageRow } from "../claude-row-schema.ts";
import { unlessStandard, type PriceTerms } from "../../../usage/price.ts";

/** The members of a row's `usage` that its price depends on, unchecked. */
type TermsRow = Pick<UsageRow, "speed" | "inference_geo" | "service_tier" | "server_tool_use">;

/** Upper bound: a hostile count must not produce an absurd price. */
const maxSearches = 100_000;

/**
 * Reads the terms on which a response is priced; undefined for the standard ones. A value of an unexpected form counts
 * as standard. The priority tier is priced by contract and has no list price. Code execution is priced by the hour, and
 * has no price per response.
 */
export function readTerms({
  speed,
  inference_geo: geo,
  service_tier: tier,
  server_tool_use: tools,
}: TermsRow): PriceTerms | undefined {
  const terms: PriceTerms = {
    isFast: speed === "fast",
    isUsOnly: typeof geo === "string" && geo.toLowerCase() === "us",
    isBatch: tier === "batch",
    isOtherTier: tier === "priority",
    webSearches: searchesIn(tools),
  };
  return unlessStandard(terms);
}

function searchesIn(tools: unknown): number {
  const value = isObject(tools) ? tools["web_search_requests"] : 0;
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= maxSearches
    ? value
    : 0;
}

/** The terms of a call that the API made by itself for a response with these terms. */
export function termsOfServerCall(
  terms: PriceTerms | undefined,
  isOwnModel: boolean,
): PriceTerms | undefined {
  if (terms === undefined) return undefined;
  return unlessStandard({ ...terms, isFast: terms.isFast && isOwnModel, webSearches: 0 });
}
