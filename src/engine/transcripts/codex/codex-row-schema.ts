import * as z from "zod/mini";
import {
  maybeTokens,
  optionalNumber,
  optionalText,
  optionalTime,
  optionalTokens,
  tokens,
} from "../row-values.ts";
import { standardTerms, unlessStandard, type PriceTerms } from "../../usage/price.ts";

/**
 * Schemas for the lines of a Codex rollout, as far as purser reads them. The format is internal to the agent and
 * changes with its releases, so every object is loose, and only what a figure is based on is required.
 */

/** `input_tokens` includes both cache counters, `output_tokens` the reasoning. */
const usage = z.looseObject({
  input_tokens: tokens,
  cached_input_tokens: maybeTokens,
  cache_write_input_tokens: maybeTokens,
  output_tokens: tokens,
  reasoning_output_tokens: maybeTokens,
  total_tokens: maybeTokens,
});

export const anyRow = z.looseObject({
  type: z.string(),
  timestamp: optionalTime,
  ordinal: optionalTokens,
  payload: z.optional(z.unknown()),
});

export const sessionMeta = z.looseObject({
  id: optionalText,
  /** The thread that a person started, also in its subagents. */
  session_id: optionalText,
  forked_from_id: optionalText,
  parent_thread_id: optionalText,
  /** Lines with a smaller ordinal are the parent's. */
  subagent_history_start_ordinal: optionalTokens,
  cwd: optionalText,
  cli_version: optionalText,
  git: z.catch(z.nullish(z.looseObject({ branch: optionalText })), null),
  source: z.catch(
    z.nullish(
      z.looseObject({
        /** A subagent spawned by an agent, or one of Codex's own, such as `review`. */
        subagent: z.union([
          z.pipe(
            z.string(),
            z.transform((kind) => ({ kind, thread_spawn: null })),
          ),
          z.pipe(
            z.looseObject({
              thread_spawn: z.catch(
                z.nullish(
                  z
                    // `agent_role` was called `agent_type` in the first versions that had it.
                    .looseObject({
                      parent_thread_id: optionalText,
                      agent_role: optionalText,
                      agent_type: optionalText,
                      agent_nickname: optionalText,
                    }),
                ),
                null,
              ),
              other: optionalText,
            }),
            z.transform(({ thread_spawn, other }) => ({ kind: other ?? null, thread_spawn })),
          ),
        ]),
      }),
    ),
    null,
  ),
});

export const turnContext = z.looseObject({
  turn_id: optionalText,
  cwd: optionalText,
  model: optionalText,
  service_tier: optionalText,
});

export const usageRow = z.looseObject({
  thread_id: optionalText,
  response_id: z.string().check(z.minLength(1)),
  usage,
});

const limit = z.catch(
  z.nullish(
    z.looseObject({
      used_percent: z.number(),
      window_minutes: optionalNumber,
      /** Seconds since the epoch; older versions reported the seconds left. */
      resets_at: optionalNumber,
      resets_in_seconds: optionalNumber,
    }),
  ),
  null,
);

export const eventRow = z.looseObject({
  type: z.string(),
  turn_id: optionalText,
  /** Only on `task_started`. */
  model_context_window: optionalTokens,
});

export const tokenCount = z.looseObject({
  info: z.nullish(
    z.looseObject({
      total_token_usage: usage,
      last_token_usage: z.nullish(usage),
      model_context_window: optionalTokens,
    }),
  ),
  rate_limits: z.catch(
    z.nullish(z.looseObject({ limit_id: optionalText, primary: limit, secondary: limit })),
    null,
  ),
});

export type TurnContext = z.infer<typeof turnContext>;
export type UsageRow = z.infer<typeof usageRow>;
export type EventRow = z.infer<typeof eventRow>;
export type CodexUsage = z.infer<typeof usage>;
export type SessionMeta = z.infer<typeof sessionMeta>;
export type TokenCount = z.infer<typeof tokenCount>;
export type RateLimits = z.infer<typeof tokenCount>["rate_limits"];
export type Limit = z.infer<typeof limit>;

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
