import type { Figure } from "../usage/token-counts.ts";

/** Fill level of one conversation's context. Tokens, unless stated otherwise. */
export interface ContextSnapshot {
  readonly model: string | null;
  readonly window: Figure;
  readonly occupancy: Figure;
  /** Occupancy as a share of the window, 0 to 100. */
  readonly percent: number | null;
}
