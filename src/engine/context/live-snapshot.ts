import type { FileProblem } from "../transcripts/claude/files.ts";
import type { SessionSnapshot } from "./snapshot.ts";

/** What a window, a terminal or a program is shown: every recent session, the most recently active first. */
export interface LiveSnapshot {
  readonly sessions: readonly SessionSnapshot[];
  /** Where transcripts are looked for. */
  readonly roots: readonly { readonly path: string; readonly exists: boolean }[];
  /** Transcript files found in all. */
  readonly files: number;
  /** What cannot be read or watched, and why. */
  readonly problems: readonly FileProblem[];
  /** Settings that are not used, or the file they are in, and why. */
  readonly settingProblems: readonly FileProblem[];
  /** Everything that was there at the start has been read. */
  readonly complete: boolean;
}
