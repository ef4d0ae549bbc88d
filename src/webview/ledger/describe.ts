import { percent, wholeNumber } from "../../engine/base/text/format.ts";
import type { Anomaly, CompactionDiff, LostItem } from "../../engine/ledger/answers.ts";

/** The panel's texts, in one place. They are in English; the host's error messages are in the editor's language. */

const fills: Readonly<Record<string, string>> = {
  system: "System prompt",
  tools: "Tool definitions",
  "mcp-tools": "MCP tool definitions",
  memory: "Memory files",
  skills: "Skills",
  thinking: "Thinking",
  user: "Prompts",
  assistant: "Answers",
  "tool-calls": "Tool calls",
  attachments: "Attachments",
  summary: "Summary of a compaction",
};
const resultPrefix = "result:";

export function fillName(name: string): string {
  return name.startsWith(resultPrefix)
    ? `Results of ${name.slice(resultPrefix.length)}`
    : (fills[name] ?? name);
}

/** Why a response is an anomaly, and by how much. */
export function anomalyReason({ cause, value, usual }: Anomaly): string {
  switch (cause) {
    case "costly-run":
      return value === null || usual === null || usual <= 0
        ? "A run cost far more than its agent's runs usually do."
        : `A run took ${wholeNumber(value)} new tokens, ${(value / usual).toFixed(1)} times the usual ${wholeNumber(usual)} of its agent.`;
    case "stall":
      return value === null
        ? "The context climbed and next to nothing was produced."
        : `The context climbed and next to nothing was produced: ${wholeNumber(value)} new tokens.`;
    case "cache-fall":
      return value === null || usual === null
        ? "Less of the context was read from the cache than usual."
        : `Only ${percent(value * 100)} of the context was read from the cache; usual is ${percent(usual * 100)}.`;
  }
}

export const causeNames: Readonly<Record<Anomaly["cause"], string>> = {
  "costly-run": "Costly run",
  stall: "Stall",
  "cache-fall": "Cache fell",
};

/** Each phase of a session's work in a few words. */
export const phaseMeanings: Readonly<Record<string, string>> = {
  Warmup: "its first calls, nothing edited yet",
  Productive: "edits, and checks that pass",
  Exploring: "looking around without an edit",
  Struggling: "failures outnumber what succeeds, or it repeats itself",
  Late: "little of the context is left",
};

/** What each kind of thing is called that a compaction may lose. */
export const lostKindNames: Readonly<Record<LostItem["kind"], string>> = {
  decision: "Decision",
  open: "Open",
  file: "File",
  dead_end: "Dead end",
  error: "Error",
  convention: "Convention",
};

/** The fate of a lost item. */
export const backWords: Readonly<Record<NonNullable<CompactionDiff["lost"][number]["back"]>, string>> = {
  told: "Told right after",
  chosen: "At the next prompt",
  given: "Told at a prompt",
};

/** Where the figures of each section come from. */
export const notes = {
  scorecard:
    "Measured, beside the median of your other sessions of the same project, else of the same agent; unknown with fewer than " +
    "five. Prices are list prices. A dot is this session, the tick your median, the line reaches from your least to your most.",
  overTime:
    "Measured: new tokens (processing tokens) are the input, output and cache writes that the agents' transcripts tell, each response " +
    "once. Cost is those tokens and the cache reads at list prices, not what you were billed. Days are local.",
  breakdown:
    "Measured from the transcripts. Tokens of tools, skills and MCP servers are estimated: a response is shared out evenly " +
    "among the tools it called. Cost is at list prices.",
  limits: "Official: what the agent's API told the agent, at the time beside it. Purser never asks for it.",
  anomalies:
    "Measured: a run above twice its agent's median, a context that climbs while nothing is produced, or less read from " +
    "the cache than usual.",
  rereads:
    "Measured: files that one session read more than once. What comes back fills the context again each time.",
  sessions: "Measured from the transcripts, the most recently active first. Cost is at list prices.",
  context:
    "The height is measured: input, cache writes and cache reads of each response of the main conversation. What fills it " +
    "is estimated: each part's share of the characters sent, where the transcript tells. Dashed lines are compactions and the window; dotted ones are where the context grew into a band of advice, " +
    "as your settings have it.",
  perTurn:
    "Measured: what each response of the main conversation was processed for. Cache reads are in the table of turns.",
  fill: "Estimated: each part's share of the characters of the last request that tells, of the measured context.",
  official:
    "Official is the agent's own running total. Ours is every response of the transcripts at list prices.",
  tools:
    "Calls and sizes are measured. Tokens are estimated: a response is shared out evenly among the tools it called.",
  subagents: "Measured from the subagents' own transcripts. Cost is at list prices.",
  state:
    "Measured from the agent's hooks, at the end of its last turn or within the current one. Trust falls with failures, edits " +
    "that no check has verified, dead ends and loops; focus with work in many places and reads without an edit. Guards adapt " +
    "to them: see ARCHITECTURE of Context Purser. Calls of subagents count for files only.",
  compactions:
    "Measured: what purser knew of the session before the compaction, compared with the text of its summary. A file is kept " +
    "where the summary names it, anything else where one passage has nearly all of its words. Hooks of Context Purser tell the " +
    "agent what its summary lost; what you put back is told at the session's next prompt, once.",
  runs: "Measured. A run is the work from a prompt to the end of the answer; a subagent's is all of its work.",
  turns: "Measured. Each row is one API response, in the order of time. Cost is at list prices.",
} as const;

/** Replaces a host message that the panel does not understand. */
export const misunderstood =
  "This panel and the extension are of different versions. Reload the window to make them the same.";
