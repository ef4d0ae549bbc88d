/** Facts about the machine that checks look up. Each answers null, or `unknown`, if it is not certain. */
export interface FactPorts {
  /** Tells what is at a path, links followed. */
  readonly look: (path: string) => Promise<"file" | "folder" | "none" | "unknown">;
  /** Returns the text of a small file; null for none. */
  readonly text: (path: string) => Promise<string | null>;
  /** Returns the names in a folder. */
  readonly list: (folder: string) => Promise<readonly string[] | null>;
  /** Returns the files of a project, relative with slashes. They may be some seconds old, and need not be all. */
  readonly filesOf: (project: string) => Promise<readonly string[]>;
  /** Returns all files below a folder but those of packages, as they are now; null where there are too many. */
  readonly walk: (folder: string) => Promise<readonly string[] | null>;
  /** Runs git in a folder so that it starts no other program: its output, and how it ended. Null where it could not be run. */
  readonly git: (
    folder: string,
    args: readonly string[],
  ) => Promise<{ readonly code: number; readonly output: string } | null>;
  /** Returns the help of a trusted installed program about its options; null for any other. */
  readonly help: (program: string, subcommand: string | null, folder: string) => Promise<string | null>;
  /** The folders in which programs are searched. */
  readonly searched: readonly string[];
  /** Root of the project that a folder is in. */
  readonly projectOf: (folder: string) => string;
}
