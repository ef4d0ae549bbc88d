/** Facts about the machine that checks look up. Each answers null, or `unknown`, if it is not certain. */
export interface FactPorts {
  /** Returns what is at a path, following links. */
  readonly look: (path: string) => Promise<"file" | "folder" | "none" | "unknown">;
  /** Returns the text of a small file; null for none. */
  readonly text: (path: string) => Promise<string | null>;
  readonly list: (folder: string) => Promise<readonly string[] | null>;
  /** Returns files of a project, relative with slashes. The list may be some seconds old and incomplete. */
  readonly filesOf: (project: string) => Promise<readonly string[]>;
  /** Returns all current files below a folder except those of packages; null for too many. */
  readonly walk: (folder: string) => Promise<readonly string[] | null>;
  /** Runs git in a folder so that it starts no other program. Null if it could not be run. */
  readonly git: (
    folder: string,
    args: readonly string[],
  ) => Promise<{ readonly code: number; readonly output: string } | null>;
  /** Returns the help of a trusted installed program about its options; null for any other. */
  readonly help: (program: string, subcommand: string | null, folder: string) => Promise<string | null>;
  /** The folders in which programs are searched. */
  readonly searched: readonly string[];
  /** Returns the root of the project that a folder is in. */
  readonly projectOf: (folder: string) => string;
}
