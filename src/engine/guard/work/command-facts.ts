import type { CheckKind } from "../verification/check-outcome.ts";

/** Facts about a command line, for guards that compare several calls. */
export interface CommandFacts {
  /** Program and subcommand of the first command that does the work, such as `git status`. */
  readonly name: string;
  /** Words of all its commands, without output filters, `cd` and assignments. */
  readonly words: readonly string[];
  readonly effect: "look" | "check" | "change";
  /** Kinds of checks that it runs, without repeats. */
  readonly checks: readonly CheckKind[];
  /** It searches or compares: a non-zero exit code may be an answer. */
  readonly isQuestion: boolean;
  /** The thing that it polls, if it does nothing else; null for other commands. */
  readonly polls: string | null;
  /** It only sleeps, or sleeps and polls. */
  readonly waits: boolean;
  /** Source files that it writes, as far as they are known. */
  readonly writes: readonly string[];
}

/** Reads a command line. Returns a promise while its code is being loaded. */
export type ReadCommand = (
  command: string,
  folder: string | null,
  shell: "posix" | "powershell",
) => CommandFacts | Promise<CommandFacts>;

/** Returns the shell behind a tool. */
export function shellOf(tool: string): "posix" | "powershell" {
  return tool.toLowerCase() === "powershell" ? "powershell" : "posix";
}

export const noFacts: CommandFacts = {
  name: "",
  words: [],
  effect: "change",
  checks: [],
  isQuestion: false,
  polls: null,
  waits: false,
  writes: [],
};
