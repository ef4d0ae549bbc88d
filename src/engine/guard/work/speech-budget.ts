import type { Phase } from "./phase.ts";

/** The most that guards may tell a session in one turn. */
export interface SpeechBudget {
  /** Prompts so far: a new turn begins with nothing told. */
  readonly turn: number;
  /** Pieces of advice. */
  readonly pieces: number;
  /** Characters added to the agent's context. */
  readonly characters: number;
}

/** Characters of a long piece of advice: what, why, and a way out. */
const longPiece = 400;

/**
 * Returns what a session may be told in a turn. Three pieces at full trust, as what interrupts good work must be rare; one more for each 20
 * points of trust lost, as an agent in trouble has more to gain by each; never more than eight, which nobody would read. In phase Late only
 * half the characters, as the context itself is what is scarce.
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
