import type { FileProblem } from "../../transcripts/claude/files.ts";
import type { Source } from "./source.ts";

/** What there is to collect. */
export interface FoundSources {
  readonly sources: readonly Source[];
  /** The folders all of it is in, however deep. They need not exist. */
  readonly areas: readonly string[];
  /** Folders in them in which new files or folders appear. */
  readonly folders: readonly string[];
  readonly problems: readonly FileProblem[];
}
