import type { Compaction } from "../usage/api-response.ts";
import { unknownFigure, type Figure } from "../usage/token-counts.ts";
import type { AgentName } from "../transcripts/agents.ts";
import type { AgentSettings, LiveReader, NoThreshold } from "../transcripts/live-reader.ts";
import { quantile } from "./compaction-forecast.ts";
import { sentence } from "../base/language.ts";

/** An automatic compaction of a main chain, with the agent, model and window it happened in. Tokens. */
export interface ObservedCompaction {
  readonly agent: AgentName;
  readonly model: string;
  readonly window: number;
  readonly preTokens: number;
  readonly at: number | null;
}

/** Size at which earlier compactions began, learned from the user's own transcripts, by agent, model and window. */
export interface LearnedThreshold {
  readonly tokens: number;
  readonly samples: number;
}

export type LearnedThresholds = ReadonlyMap<string, LearnedThreshold>;

/** Only the newest compactions count: older ones may have followed another version's rule. */
export const newestCounted = 30;
/** Low quantile, because an early warning is better than a late one. */
const lowShare = 0.1;

export function thresholdKey({ agent, model, window }: Omit<ObservedCompaction, "preTokens" | "at">): string {
  return `${agent} ${model} ${window}`;
}

/** @param observed a compaction reported twice (a fork copies its parent's) counts once, as first reported */
export function learnThresholds(observed: readonly ObservedCompaction[]): LearnedThresholds {
  const groups = new Map<string, ObservedCompaction[]>();
  const seen = new Set<string>();
  for (const each of observed) {
    const name = `${each.at} ${each.preTokens}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const key = thresholdKey(each);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return new Map(
    Array.from(groups, ([key, group]) => {
      const latest = group.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, newestCounted);
      const sorted = latest.map(({ preTokens }) => preTokens).toSorted((a, b) => a - b);
      return [key, { tokens: Math.round(quantile(sorted, lowShare)), samples: sorted.length }];
    }),
  );
}

/** An agent may compact an idle session before its cache expires, whatever its size. Milliseconds, and share of the window. */
const [idleTime, farBelow] = [50 * 60_000, 0.75];

/** Whether a compaction looks like one of an idle session: long after the last response, and far from a full window. */
export function isOfIdle(
  { preTokens, at }: Pick<Compaction, "preTokens" | "at">,
  { window, answeredAt }: { readonly window: number; readonly answeredAt: number | null },
): boolean {
  if (preTokens === null || at === null || answeredAt === null) return false;
  return at - answeredAt >= idleTime && preTokens < farBelow * window;
}

/** Returns an automatic compaction of a full window; only these show where the agent will compact again. */
export function observe(
  compaction: Compaction,
  {
    agent,
    model,
    window,
    answeredAt = null,
  }: { agent: AgentName; model: string | null; window: Figure; answeredAt?: number | null | undefined },
): ObservedCompaction | undefined {
  const { trigger, preTokens, at, isEarly } = compaction;
  if (trigger !== "auto" || isEarly === true) return undefined;
  if (preTokens === null || model === null || window.value === null) return undefined;
  if (isOfIdle(compaction, { window: window.value, answeredAt })) return undefined;
  return { agent, model, window: window.value, preTokens, at };
}

export interface ThresholdInput {
  readonly agent: AgentName;
  readonly usualThreshold: LiveReader["usualThreshold"];
  readonly model: string;
  /** False where the agent does not know the model, and therefore assumes its window. */
  readonly isKnownModel?: boolean;
  readonly window: Figure;
  readonly maxOutput: number | null;
  readonly config: AgentSettings;
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
 * Returns the size at which automatic compaction begins: learned from the user's own compactions, else by the agent's
 * usual rule and its own settings, else the user's setting.
 */
export function compactionThreshold(input: ThresholdInput): Threshold {
  const { agent, model, isKnownModel = true, window, maxOutput, config, learned, fallback } = input;
  if (!config.autoCompact)
    return {
      figure: unknownFigure(sentence("automatic compaction is off in the agent's settings")),
      samples: 0,
    };
  const rule =
    window.value === null
      ? null
      : input.usualThreshold({ window: window.value, model, isKnownModel, maxOutput, settings: config });
  if (rule === "model") return noThreshold(rule, model);
  const ruled = rule === "assumed-window" ? null : rule;
  const set = config.compactAt;
  // Agents with an upper limit as their own rule begin no later than that, whatever is set.
  if (set !== null && set <= (ruled ?? set))
    return {
      figure: { value: set, provenance: "official", source: sentence("the agent's settings") },
      samples: 0,
    };
  const known =
    window.value === null ? undefined : learned.get(thresholdKey({ agent, model, window: window.value }));
  if (known !== undefined && !isLowered(config)) {
    const source = sentence("learned from {0} of yours", known.samples);
    return {
      figure: { value: known.tokens, provenance: "measured", source },
      samples: known.samples,
    };
  }
  if (ruled !== null)
    return {
      figure: { value: ruled, provenance: "estimated", source: sentence("the agent's usual rule") },
      samples: 0,
    };
  if (rule === "assumed-window") return noThreshold(rule, model);
  const figure: Figure =
    fallback === null
      ? unknownFigure(
          window.value === null
            ? sentence("neither a compaction of yours nor the window is known")
            : sentence("neither a compaction of yours nor a rule of this agent is known"),
        )
      : { value: fallback, provenance: "official", source: sentence("your setting") };
  return { figure, samples: 0 };
}

/** Only the distance to the window's end is then known. */
function noThreshold(why: NoThreshold, model: string): Threshold {
  const source =
    why === "model"
      ? sentence("the agent compacts {0} only when the API refuses a request, at the window's end", model)
      : sentence(
          "the agent takes the window of {0} for a larger one and compacts too late; set CLAUDE_CODE_MAX_CONTEXT_TOKENS",
          model,
        );
  return { figure: unknownFigure(source), samples: 0 };
}

/** True when settings give the agent another trigger than its own, so that past compactions do not predict the next. */
function isLowered({ autoCompactWindow, compactPercent }: AgentSettings): boolean {
  return autoCompactWindow !== null || compactPercent !== null;
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
