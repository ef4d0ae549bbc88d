import type { Sentence } from "../base/language.ts";
import type { FileProblem } from "../base/result.ts";
import type { SessionRoot } from "../transcripts/agents.ts";
import type { SessionSnapshot } from "./snapshot.ts";

/**
 * Snapshot sent to a window, a terminal or a program: every recent session, the most recently active first.
 */
export interface LiveSnapshot {
  readonly sessions: readonly SessionSnapshot[];
  /** Folders searched for transcripts. */
  readonly roots: readonly (SessionRoot & { readonly exists: boolean })[];
  readonly files: number;
  /** Paths that cannot be read or watched, and why. */
  readonly problems: readonly FileProblem[];
  /** Settings (or settings files) that are ignored, and why. */
  readonly settingProblems: readonly FileProblem[];
  /**
   * Why the ledger cannot be opened or written, and the remedy, in a sentence without its full stop; absent while it
   * can.
   */
  readonly ledgerProblem?: Sentence | undefined;
  /** True once everything present at the start has been read. */
  readonly complete: boolean;
}

export interface AgentPlaces {
  readonly agent: SessionRoot["agent"];
  readonly folders: readonly { readonly path: string; readonly exists: boolean }[];
}

/** The searched folders by agent, in the agents' order. */
export function placesByAgent({ roots }: Pick<LiveSnapshot, "roots">): AgentPlaces[] {
  return [...new Set(roots.map(({ agent }) => agent))].map((agent) => ({
    agent,
    folders: roots.filter((root) => root.agent === agent).map(({ path, exists }) => ({ path, exists })),
  }));
}
