/** Stands for a part of a word that only the running shell knows and that may be empty. */
export const unknownPart = "\uFFFC";
/** Stands for an unknown part that is never empty, such as a file's name. */
export const unknownText = "\uFFFD";

/** Marks the cut end of a text. A command that runs such a text cannot be judged completely. */
export const cutPart = `${unknownPart}\uFFFB`;

export const isCut = (text: string): boolean => text.includes(cutPart);

/** A word as the shell passes it on. */
export interface Argument {
  /** With `unknownPart` or `unknownText` for text that only the shell knows. */
  readonly text: string;
  /** Has unquoted `*`, `?` or `[`, which the shell replaces by names of files. */
  readonly isPattern: boolean;
  /** Programs with output in the text, their files as `<FILE`, and unknown variables as `$NAME`. */
  readonly from: readonly string[];
}

/** A file for a command's output or input. */
export interface Redirection {
  readonly kind: "write" | "append" | "read";
  readonly target: Argument;
  /** Takes the output, not only errors. */
  readonly isOutput: boolean;
}

/** How much of a command's output its caller sees: all, a part after later programs, or nothing. */
export type Shown = "whole" | "part" | "none";

export type Environment = readonly (readonly [string, string])[];

export const noEnvironment: Environment = [];

export type Place = "here" | "container" | "remote";

/** One program that a command line runs, without wrappers such as sudo. */
export interface Invocation {
  /** Name without folder and extension, in lower case. Empty for a redirection without a program. */
  readonly program: string;
  readonly args: readonly Argument[];
  readonly redirections: readonly Redirection[];
  /** Programs that write its input, and their files as `<FILE`. */
  readonly from: readonly string[];
  /** Programs with output that it runs, as a script or as a program's name. */
  readonly runs: readonly string[];
  /** Its input, if known. */
  readonly input: string | null;
  /** Wrappers that run it, outermost first. */
  readonly via: readonly string[];
  /** Folder that it runs in; null if unknown. */
  readonly folder: string | null;
  readonly place: Place;
  readonly shown: Shown;
  /** Variables of the command line that name a stage or a database. */
  readonly environment: Environment;
  /** Read by words, as the command line could not be parsed. */
  readonly isGuess: boolean;
  /** Part of a stored script, which a person has more often written than a command line. */
  readonly isStored?: true;
}

/** Known facts about the place of a command line. */
export interface ShellContext {
  /** Absolute folder that the shell is in. */
  readonly folder: string | null;
  readonly home: string;
  /** Root of the project, absolute. */
  readonly project: string | null;
  readonly temporary: string;
  /** Returns the beginning of a text file of the project; null for other files. */
  readonly readText?: ((file: string) => string | null) | undefined;
  /** Returns the text of a script; null for other files. */
  readonly readScript?: ((file: string) => string | null) | undefined;
  /** Whether the agent wrote a script itself in this session. */
  readonly isOwnScript?: ((file: string) => boolean) | undefined;
  /** Returns the names in a folder; none for a folder that is not read. */
  readonly namesIn?: ((folder: string) => readonly string[]) | undefined;
}

export function plainArgument(text: string): Argument {
  return { text, isPattern: false, from: [] };
}

export function isUnknown(text: string): boolean {
  return text.includes(unknownPart) || text.includes(unknownText);
}

/** Returns a program's name without folder and Windows' extension, in lower case. */
export function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1).toLowerCase();
  return name.replace(/\.(?:exe|cmd|bat|com|ps1)$/u, "");
}
