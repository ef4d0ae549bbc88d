import type { FileProblem } from "../../base/result.ts";
import type { Source } from "./collect-source.ts";

/** All sources to collect. */
export interface FoundSources {
  readonly sources: readonly Source[];
  /** The folders that contain all sources, at any depth. They need not exist. */
  readonly areas: readonly string[];
  /** Folders within the areas where new files or folders appear. */
  readonly folders: readonly string[];
  readonly problems: readonly FileProblem[];
}
