import { wholeNumber } from "../../base/text/format.ts";
import type { Advice } from "../../sessions/advice.ts";
import type { AdviceFigures } from "./warning.ts";

type GivenAdvice = Exclude<Advice, "CONTINUE">;

const meaning = {
  WRAP_UP: "finish the step in hand and wrap up",
  END_TURN: "end the turn here, and leave the rest to a new session",
} satisfies Record<GivenAdvice, string>;

/** A subagent has no turn to end, but a caller that waits for its report. */
const meaningForSubagents = {
  WRAP_UP: "finish the step in hand and report back",
  END_TURN: "report back now what is done and what is left",
} satisfies Record<GivenAdvice, string>;

export interface SentenceOptions {
  /** False where the agent already gives its model the figures. */
  readonly hasFigures?: boolean;
  /** True for a subagent, about its own context. */
  readonly isSubagent?: boolean;
}

/**
 * Returns the agent's message: one sentence of fact, in fewer than 60 tokens. A command would be taken for
 * prompt injection; and because the text stays in the transcript, it says what time it describes.
 */
export function adviceSentence(
  advice: GivenAdvice,
  { tokens, window }: Pick<AdviceFigures, "tokens" | "window">,
  { hasFigures = true, isSubagent = false }: SentenceOptions = {},
): string {
  const what = (isSubagent ? meaningForSubagents : meaning)[advice];
  if (!hasFigures) return `Context Purser's advice at this point is ${advice}: ${what}.`;
  const left = Math.max(0, Math.floor(100 - (100 * tokens) / window));
  const context = isSubagent ? "this subagent's own context" : "the context";
  return (
    `At this point ${context} holds ${wholeNumber(tokens)} of ${wholeNumber(window)} tokens (${left} % left); ` +
    `Context Purser's advice is ${advice}: ${what}.`
  );
}

/**
 * Returns whether the agent's own note to its model gives the tokens left in the context. Claude Code may be
 * set to count down from a budget far larger than any window instead: that is no information about the
 * context, and no reason to leave out the figures.
 */
export function isReportedByAgent({ tokens, window, noteLeft }: AdviceFigures): boolean {
  return noteLeft !== null && Math.abs(window - tokens - noteLeft) <= window * likeness;
}

/** The agent may reserve what its answer needs, or count a step more or less. Share of the window. */
const likeness = 0.2;
