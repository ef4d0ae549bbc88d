import * as z from "zod/mini";
import { standardTerms, unlessStandard, type PriceTerms } from "../../../usage/price.ts";
import { optionalText } from "../../row-values.ts";

/** Settings of a thread as a whole: a tier that is missing is the standard one. */
const threadSettings = z.looseObject({
  thread_settings: z.looseObject({ service_tier: optionalText }),
});

const standardTiers = new Set(["auto", "default", "standard"]);

/**
 * The service tier requested for a rollout's next responses. Codex does not record the tier that the API served, so the
 * requested one is used.
 */
export class ServiceTier {
  /** Undefined for the standard tier. */
  terms: PriceTerms | undefined = undefined;

  /** Reads a turn's context, where a missing tier changes nothing. */
  context({ service_tier: tier }: { readonly service_tier?: string | null | undefined }): void {
    if (tier !== undefined) this.terms = termsOf(tier);
  }

  /** Reads an event; only `thread_settings_applied` has a tier. */
  event(type: string, payload: unknown): void {
    if (type !== "thread_settings_applied") return;
    const settings = threadSettings.safeParse(payload);
    if (settings.success) this.terms = termsOf(settings.data.thread_settings.service_tier ?? null);
  }
}

function termsOf(tier: string | null): PriceTerms | undefined {
  if (tier === null || standardTiers.has(tier)) return undefined;
  const isFast = tier === "fast" || tier === "priority";
  const isBatch = tier === "flex" || tier === "batch";
  return unlessStandard({ ...standardTerms, isFast, isBatch, isOtherTier: !isFast && !isBatch });
}
