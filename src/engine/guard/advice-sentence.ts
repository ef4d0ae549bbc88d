import type { Advice } from "../context/advice.ts";
import type { AdviceFigures } from "./advice-warning.ts";

const meaning = {
  WRAP_UP: "finish the step in hand and wrap up",
  END_TURN: "end the turn here, and leave the rest to a new session",
} satisfies Record<Exclude<Advice, "CONTINUE">, string>;

/**
 * What the agent is told: one sentence of fact, in fewer than 60 tokens. A command would be taken for an attempt to slip
 * instructions in; and what it says is in the transcript for good, so it says of when it is.
 *
 * @param hasFigures false where the agent is told them already
 */
export function adviceSentence(
  advice: Exclude<Advice, "CONTINUE">,
  { tokens, window }: Pick<AdviceFigures, "tokens" | "window">,
  hasFigures = true,
): string {
  if (!hasFigures) return `Context Purser's advice at this point is ${advice}: ${meaning[advice]}.`;
  const left = Math.max(0, Math.floor(100 - (100 * tokens) / window));
  return (
    `At this point the context holds ${grouped(tokens)} of ${grouped(window)} tokens (${left} % left); ` +
    `Context Purser's advice is ${advice}: ${meaning[advice]}.`
  );
}

/**
 * Whether the agent's own note to its model tells what is left in the context. Claude Code may be set to count down from a
 * budget far larger than any window instead: that tells nothing of the context, and is no reason to say less of it.
 */
export function isToldByAgent({ tokens, window, noteLeft = null }: AdviceFigures): boolean {
  return noteLeft !== null && Math.abs(window - tokens - noteLeft) <= window * likeness;
}

/** The agent may keep back what its answer needs, or count a step more or less. Share of the window. */
const likeness = 0.2;

function grouped(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
