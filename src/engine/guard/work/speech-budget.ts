import type { Phase } from "../work.ts";

/** Limits of what guards may send to a session in one turn. */
export interface SpeechBudget {
  /** Number of prompts so far. Each turn has its own budget. */
  readonly turn: number;
  /** Pieces of advice. */
  readonly pieces: number;
  /** Characters added to the agent's context. */
  readonly characters: number;
}

/** Characters of a long piece of advice: what, why, and a way out. */
const longPiece = 400;

/**
 * Returns what a session may receive in a turn. At full trust, it is three pieces of advice, since good work should rarely be
 * interrupted. Each 20 points of lost trust add one, since an agent in trouble gains more. The maximum is eight: more would not be read.
 * The phase Late has half the characters, since the context is scarce.
 */
export function speechBudgetOf({
  turn,
  trust,
  phase,
}: {
  readonly turn: number;
  readonly trust: number;
  readonly phase: Phase;
}): SpeechBudget {
  const pieces = 3 + Math.floor((100 - trust) / 20);
  const characters = pieces * longPiece;
  return { turn, pieces, characters: phase === "Late" ? characters / 2 : characters };
}
