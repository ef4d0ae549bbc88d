import type { Sentence } from "../text/sentence.ts";
/** A file or folder that cannot be read. */
export interface FileProblem {
  readonly path: string;
  /** The system's error code, such as `EACCES`. */
  readonly reason: Sentence;
}
