import { decimalNumber, percent, wholeNumber, dollars, shortNumber } from "../../engine/base/local-format.ts";
import { t, plural } from "../../engine/base/language.ts";
import type {
  Anomaly,
  CompactionDiff,
  LostItem,
  Overview,
  BreakdownPart,
} from "../../engine/ledger/ledger-answers.ts";
import type { PanelState } from "./ledger-protocol.ts";

/** The panel's texts, in one place. They are in English; the host's error messages are in the editor's language. */

const fills: Readonly<Record<string, string>> = {
  system: t("System prompt"),
  tools: t("Tool definitions"),
  "mcp-tools": t("MCP tool definitions"),
  memory: t("Memory files"),
  skills: t("Skills"),
  thinking: t("Thinking"),
  user: t("Prompts"),
  assistant: t("Answers"),
  "tool-calls": t("Tool calls"),
  attachments: t("Attachments"),
  summary: t("Summary of a compaction"),
};
const resultPrefix = "result:";

export function fillName(name: string): string {
  return name.startsWith(resultPrefix)
    ? t("Results of {0}", name.slice(resultPrefix.length))
    : (fills[name] ?? name);
}

/** Why a response is an anomaly, and by how much. */
export function anomalyReason({ cause, value, usual }: Anomaly): string {
  switch (cause) {
    case "costly-run":
      return value === null || usual === null || usual <= 0
        ? t("A run cost far more than its agent's runs usually do.")
        : t(
            "A run took {0} new tokens, {1} times the usual {2} of its agent.",
            wholeNumber(value),
            decimalNumber(value / usual, 1),
            wholeNumber(usual),
          );
    case "stall":
      return value === null
        ? t("The context climbed and next to nothing was produced.")
        : t("The context climbed and next to nothing was produced: {0} new tokens.", wholeNumber(value));
    case "cache-fall":
      return value === null || usual === null
        ? t("Less of the context was read from the cache than usual.")
        : t(
            "Only {0} of the context was read from the cache; usual is {1}.",
            percent(value * 100),
            percent(usual * 100),
          );
  }
}

export const causeNames: Readonly<Record<Anomaly["cause"], string>> = {
  "costly-run": t("Costly run"),
  stall: t("Stall"),
  "cache-fall": t("Cache fell"),
};

/** Each phase of a session's work in a few words. */
export const phaseMeanings: Readonly<Record<string, string>> = {
  Warmup: t("its first calls, nothing edited yet"),
  Productive: t("edits, and checks that pass"),
  Exploring: t("looking around without an edit"),
  Struggling: t("failures outnumber what succeeds, or it repeats itself"),
  Late: t("little of the context is left"),
};

/** Names of the kinds of items that a compaction may lose. */
export const lostKindNames: Readonly<Record<LostItem["kind"], string>> = {
  decision: t("Decision"),
  open: t("Left open"),
  file: t("File"),
  dead_end: t("Dead end"),
  error: t("Error"),
  convention: t("Convention"),
};

/** The fate of a lost item. */
export const backWords: Readonly<Record<NonNullable<CompactionDiff["lost"][number]["back"]>, string>> = {
  told: t("Sent right after"),
  chosen: t("At the next prompt"),
  given: t("Sent with a prompt"),
};

/** The source of each section's figures. */
export const notes = {
  scorecard: t(
    "Measured, beside the median of your other sessions of the same project, else of the same agent; unknown with fewer than five. Prices are list prices. A dot is this session, the tick your median, the line reaches from your least to your most.",
  ),
  overTime: t(
    "Measured: new tokens (processing tokens) are the input, output and cache writes that the agents' transcripts tell, each response once. Cost is those tokens and the cache reads at list prices, not what you were billed. Days are local.",
  ),
  breakdown: t(
    "Measured from the transcripts. Tokens of tools, skills and MCP servers are estimated: a response is shared out evenly among the tools it called. Cost is at list prices.",
  ),
  limits: t(
    "Official: what the agent's API told the agent, at the time beside it. Purser never asks for it.",
  ),
  anomalies: t(
    "Measured: a run above twice its agent's median, a context that climbs while nothing is produced, or less read from the cache than usual.",
  ),
  rereads: t(
    "Measured: files that one session read more than once. What comes back fills the context again each time.",
  ),
  sessions: t("Measured from the transcripts, the most recently active first. Cost is at list prices."),
  context: t(
    "The height is measured: input, cache writes and cache reads of each response of the main conversation. What fills it is estimated: each part's share of the characters sent, where the transcript tells. Dashed lines are compactions and the window. Bands show where the advice is to wrap up, and to end the turn.",
  ),
  why: t(
    "The whole is measured, at list prices. Its parts are estimated from the sizes of prompts and results, and add up to it. Usual is the median of the eight weeks before. No model is asked.",
  ),
  perTurn: t(
    "Measured: what each response of the main conversation was processed for. Cache reads are in the table of turns.",
  ),
  fill: t(
    "Estimated: each part's share of the characters of the last request that tells, of the measured context.",
  ),
  official: t(
    "Official is the agent's own running total. Ours is every response of the transcripts at list prices.",
  ),
  tools: t(
    "Calls and sizes are measured. Tokens are estimated: a response is shared out evenly among the tools it called.",
  ),
  subagents: t("Measured from the subagents' own transcripts. Cost is at list prices."),
  state: t(
    "Measured from the agent's hooks, at the end of its last turn or within the current one. Trust falls with failures, edits that no check has verified, dead ends and loops; focus with work in many places and reads without an edit. Guards adapt to them: see ARCHITECTURE of Context Purser. Calls of subagents count for files only.",
  ),
  compactions: t(
    "Measured: what purser knew of the session before the compaction, compared with the text of its summary. A file is kept where the summary names it, anything else where one passage has nearly all of its words. Hooks of Context Purser tell the agent what its summary lost; what you put back is told at the session's next prompt, once.",
  ),
  runs: t(
    "Measured. A run is the work from a prompt to the end of the answer; a subagent's is all of its work.",
  ),
  turns: t(
    "Measured. Each row is one API response, in the order of time. Cost is at list prices; ~ marks one of another service tier, which has the list price of the standard tier.",
  ),
} as const;

/** Replaces a host message that the panel does not understand. */
const [hour, day] = [60, 24 * 60];

/**
 * Names a plan limit by its window: `5 hours`, with the agent's own name if it has several. Without a known
 * window, only the agent's name.
 */
export function planLimitName({
  name,
  windowMinutes,
}: Pick<Overview["planLimits"][number], "name" | "windowMinutes">): string {
  if (windowMinutes === null) return name;
  const window = windowName(windowMinutes);
  // Codex: `codex primary`, and the same of another model's limits.
  const [, id = "codex"] = /^(\S+) (?:primary|secondary)$/u.exec(name) ?? [];
  return id === "codex" ? window : `${window} (${id})`;
}

function windowName(minutes: number): string {
  if (minutes >= day && minutes % day === 0)
    return plural(minutes / day, t("1 day"), t("{0} days", minutes / day));
  if (minutes >= hour && minutes % hour === 0)
    return plural(minutes / hour, t("1 hour"), t("{0} hours", minutes / hour));
  return plural(minutes, t("1 minute"), t("{0} minutes", minutes));
}

export type Metric = PanelState["metric"];
type Usage = Overview["totals"]["usage"];

/** Processing tokens are input, output and cache writes: the tokens that a model newly processes. */
export function processingTokens(usage: Usage): number {
  return usage.input + usage.output + usage.cacheCreation5m + usage.cacheCreation1h;
}

/** The known amount. An unknown cost adds nothing; the page notes elsewhere that it is missing. */
export function amount(part: Pick<BreakdownPart, "usage" | "usd">, metric: Metric): number {
  return metric === "tokens" ? processingTokens(part.usage) : (part.usd ?? 0);
}

export function amountText(value: number, metric: Metric): string {
  return metric === "tokens" ? wholeNumber(value) : dollars(value);
}

/** An amount in short form. */
export function shortAmount(value: number, metric: Metric): string {
  if (metric === "tokens") return shortNumber(value);
  return value >= 1000 ? `$${shortNumber(value)}` : `$${String(Number(value.toPrecision(3)))}`;
}
