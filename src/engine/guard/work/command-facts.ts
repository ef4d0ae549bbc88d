import type { CheckKind } from "../verification/check-kind.ts";

/** Facts about a command line that guards on more than one call compare. */
export interface CommandFacts {
  /** Program and subcommand of the first thing that it really runs, such as `git status`. */
  readonly name: string;
  /** Words of all that it runs, without filters of the output, folders entered and assignments. */
  readonly words: readonly string[];
  /** Whether it only looks, checks the project, or may change something. */
  readonly effect: "look" | "check" | "change";
  /** Checks that it runs, each kind once. */
  readonly checks: readonly CheckKind[];
  /** It searches or compares: an exit code that is not zero can be an answer. */
  readonly isQuestion: boolean;
  /** The thing whose state it asks for, where it does nothing else; null for other commands. */
  readonly polls: string | null;
  /** It sleeps, and does nothing else besides asking for a state. */
  readonly waits: boolean;
  /** Source files that it writes, as far as they are known. */
  readonly writes: readonly string[];
}

/** Reads a command line; a promise while the code for it is being loaded. */
export type ReadCommand = (
  command: string,
  folder: string | null,
  shell: "posix" | "powershell",
) => CommandFacts | Promise<CommandFacts>;

/** Returns the shell that a tool is. */
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
