import { unknownFigure, type Figure } from "../usage/token-counts.ts";
import type { Chain } from "./live/chain.ts";
import { evidenceWith, plainModel, type LiveContext } from "./live/live-context.ts";
import type { HookSession } from "./reported.ts";
import { contextWindow, windowOf, type WindowContext } from "./window.ts";
import { sentence, type Sentence } from "../base/language.ts";

/** Fill level of one conversation's context. Tokens, unless stated otherwise. */
export interface ContextSnapshot {
  readonly model: string | null;
  readonly window: Figure;
  readonly occupancy: Figure;
  /** Occupancy as a share of the window, 0 to 100. */
  readonly percent: number | null;
}

const noResponse = sentence("no response yet");
const justCompacted = sentence("just compacted; the next response will tell");

export function describeContext(chain: Chain, context: WindowContext): ContextSnapshot {
  const window = windowOf(chain, context);
  const occupancy = occupancyOf(chain);
  const percent = percentOf(occupancy.value, window.value);
  return { model: chain.last?.model ?? null, window, occupancy, percent };
}

function occupancyOf(chain: Chain): Figure {
  const tokens = chain.occupancy();
  return tokens === null ? unknownFigure(unknownReason(chain)) : figureOf(chain, tokens);
}

function unknownReason({ unansweredCompaction }: Chain): Sentence {
  return unansweredCompaction === null ? noResponse : justCompacted;
}

function figureOf({ estimate, unansweredCompaction, last }: Chain, value: number): Figure {
  if (estimate !== null) return { value, provenance: "official", source: estimate.source };
  if (unansweredCompaction !== null)
    return { value, provenance: "official", source: sentence("what the agent said the compaction left") };
  const source =
    last?.lastCall === undefined
      ? sentence("token usage of the last response")
      : sentence("token usage of the last of the response's calls");
  return { value, provenance: "measured", source };
}

/** Describes the main chain's context from its transcript and from the hook reports since. */
export function describeMain(
  main: Chain,
  given: WindowContext,
  {
    now: { context, compactedAt, model },
    hookSession,
  }: { now: LiveContext; hookSession: HookSession | undefined },
): ContextSnapshot {
  const evidence = evidenceWith(main, { model }, hookSession);
  const window =
    evidence === null
      ? unknownFigure(noResponse)
      : contextWindow({ ...evidence, config: given.config, catalogue: given.catalogue });
  const occupancy: Figure =
    context !== null
      ? { value: context.tokens, provenance: "official", source: context.source }
      : compactedAt !== null
        ? unknownFigure(justCompacted)
        : occupancyOf(main);
  return {
    model: model === null ? (main.last?.model ?? null) : plainModel(model),
    window,
    occupancy,
    percent: percentOf(occupancy.value, window.value),
  };
}

function percentOf(tokens: number | null, window: number | null): number | null {
  return tokens === null || window === null ? null : Math.min(100, (tokens * 100) / window);
}

/** Returns the tokens that the next request sends; unknown, for the same reason, where the occupancy is unknown. */
export function carriedBy(
  chain: Chain,
  { occupancy }: ContextSnapshot,
  { context }: Pick<LiveContext, "context">,
): Figure {
  const isRows = context === null || (!context.isCarried && chain.occupancy() === context.tokens);
  if (!isRows) return occupancy;
  const value = chain.carried();
  return value === null || occupancy.value === null ? occupancy : { ...occupancy, value };
}
