import type { Compaction } from "../usage/compaction.ts";
import { unknownFigure, type Figure } from "../usage/provenance.ts";
import type { AgentConfig } from "./agent-config.ts";
import { quantile } from "./forecast.ts";

/** An automatic compaction of a main chain, with the model and window it happened in. Tokens. */
export interface ObservedCompaction {
  readonly model: string;
  readonly window: number;
  readonly preTokens: number;
  readonly at: number | null;
}

/** Size at which compaction began before, learned from the user's own transcripts, by model and window. */
export interface LearnedThreshold {
  readonly tokens: number;
  readonly samples: number;
}

export type LearnedThresholds = ReadonlyMap<string, LearnedThreshold>;

/** Only the newest compactions count: older ones may have followed another version's rule. */
const newest = 30;
/** Low quantile, because an early warning is better than a late one. */
const lowShare = 0.1;

export function thresholdKey(model: string, window: number): string {
  return `${model} ${window}`;
}

/** @param observed a compaction reported twice (a fork copies its parent's) counts once, as first reported */
export function learnThresholds(observed: readonly ObservedCompaction[]): LearnedThresholds {
  const groups = new Map<string, ObservedCompaction[]>();
  const seen = new Set<string>();
  for (const each of observed) {
    const name = `${each.at} ${each.preTokens}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const key = thresholdKey(each.model, each.window);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return new Map(
    Array.from(groups, ([key, group]) => {
      const latest = group.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, newest);
      const sorted = latest.map(({ preTokens }) => preTokens).toSorted((a, b) => a - b);
      return [key, { tokens: Math.round(quantile(sorted, lowShare)), samples: sorted.length }];
    }),
  );
}

/** Returns an automatic compaction with its model and window; only these show where the agent will compact again. */
export function observe(
  { trigger, preTokens, at }: Compaction,
  model: string | null,
  window: Figure,
): ObservedCompaction | undefined {
  if (trigger !== "auto" || preTokens === null || model === null || window.value === null) return undefined;
  return { model, window: window.value, preTokens, at };
}

export interface ThresholdInput {
  readonly model: string;
  readonly window: Figure;
  readonly maxOutput: number | null;
  readonly config: AgentConfig;
  readonly learned: LearnedThresholds;
  /** The user's own figure, used when nothing else is known. Tokens. */
  readonly fallback: number | null;
}

export interface Threshold {
  /** Tokens in the context at which the agent compacts automatically. */
  readonly figure: Figure;
  /** Compactions the figure was learned from. */
  readonly samples: number;
}

/**
 * Maximum output the agent reserves, and its safety margin, in tokens. Observed by several projects, not
 * documented.
 */
const outputReserve = 20_000;
const margin = 13_000;

/**
 * Returns where automatic compaction begins: learned from the user's own compactions, else by the rule
 * observed in the agent (window minus output reserve minus margin, lowered by the agent's own settings), else
 * the user's setting.
 */
export function compactionThreshold(input: ThresholdInput): Threshold {
  const { model, window, config, learned, fallback } = input;
  if (!config.autoCompact)
    return { figure: unknownFigure("automatic compaction is off in the agent's settings"), samples: 0 };
  const ruled = window.value === null ? null : ruleThreshold(window.value, input);
  const known = window.value === null ? undefined : learned.get(thresholdKey(model, window.value));
  if (known !== undefined && !isLowered(config)) {
    const source = `learned from ${known.samples} of yours`;
    return {
      figure: { value: known.tokens, provenance: "measured", source },
      samples: known.samples,
    };
  }
  if (ruled !== null)
    return {
      figure: { value: ruled, provenance: "estimated", source: "the agent's usual rule" },
      samples: 0,
    };
  const figure: Figure =
    fallback === null
      ? unknownFigure("neither a compaction of yours nor the window is known")
      : { value: fallback, provenance: "official", source: "your setting" };
  return { figure, samples: 0 };
}

/** True when settings give the agent another trigger than its own, so past compactions do not predict the next. */
function isLowered({ autoCompactWindow, compactPercent }: AgentConfig): boolean {
  return autoCompactWindow !== null || compactPercent !== null;
}

function ruleThreshold(window: number, { maxOutput, config }: ThresholdInput): number {
  const capped = Math.min(window, config.autoCompactWindow ?? window);
  const reserve = Math.min(config.maxOutputTokens ?? maxOutput ?? outputReserve, outputReserve);
  const usual = capped - reserve - margin;
  const percent = config.compactPercent;
  return Math.max(0, percent === null ? usual : Math.min(usual, Math.floor((capped * percent) / 100)));
}

/**
 * Tokens until automatic compaction; 0 when the context already passed the threshold. The next request
 * carries the last response's occupancy and output.
 */
export function headroom(carried: Figure, { figure }: Threshold): Figure {
  if (figure.value === null) return figure;
  if (carried.value === null) return carried;
  return { ...figure, value: Math.max(0, figure.value - carried.value) };
}
