import type { Advice } from "../context/advice.ts";
import type { AdviceFigures } from "./advice-warning.ts";

const meaning = {
  WRAP_UP: "finish the step in hand and wrap up",
  END_TURN: "end the turn here, and leave the rest to a new session",
} satisfies Record<Exclude<Advice, "CONTINUE">, string>;

/**
 * What the agent is told: one sentence of fact, in fewer than 60 tokens. A command would be taken for an attempt to slip
 * instructions in; and what it says is in the transcript for good, so it says of when it is.
 */
export function adviceSentence(
  advice: Exclude<Advice, "CONTINUE">,
  { tokens, window }: Pick<AdviceFigures, "tokens" | "window">,
): string {
  const left = Math.max(0, Math.floor(100 - (100 * tokens) / window));
  return (
    `At this point the context holds ${grouped(tokens)} of ${grouped(window)} tokens (${left} % left); ` +
    `Context Purser's advice is ${advice}: ${meaning[advice]}.`
  );
}

function grouped(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
