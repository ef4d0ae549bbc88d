/** Stands for the part of a word that only the running shell knows, and that may be empty. */
export const unknownPart = "\uFFFC";
/** Stands for an unknown part that is never empty, such as a file's name. */
export const unknownText = "\uFFFD";

/** Ends a text of which the rest was left out: a command that runs such a text cannot be judged completely. */
export const cutPart = `${unknownPart}\uFFFB`;

/** Tests whether the rest of a text was left out. */
export const isCut = (text: string): boolean => text.includes(cutPart);

/** A word as the shell passes it on. */
export interface Argument {
  /** With `unknownPart` or `unknownText` where the shell alone knows the text. */
  readonly text: string;
  /** Has unquoted `*`, `?` or `[`, which the shell replaces by the names of files. */
  readonly isPattern: boolean;
  /** Programs whose output the text contains, the files that they were given, as `<FILE`, and unknown variables, as `$NAME`. */
  readonly from: readonly string[];
}

/** A file that a command's output is written to, or its input read from. */
export interface Redirection {
  readonly kind: "write" | "append" | "read";
  readonly target: Argument;
  /** It takes the output, not the errors alone. */
  readonly isOutput: boolean;
}

/** How much of a command's output its caller sees: all of it, a part that later programs leave, or nothing. */
export type Shown = "whole" | "part" | "none";

/** Variables by name and value. */
export type Environment = readonly (readonly [string, string])[];

export const noEnvironment: Environment = [];

/** The machine that a command runs on. */
export type Place = "here" | "container" | "remote";

/** One program that a command line runs, with wrappers such as sudo opened. */
export interface Invocation {
  /** Name without folder and extension, in lower case. Empty for a redirection without a program. */
  readonly program: string;
  readonly args: readonly Argument[];
  readonly redirections: readonly Redirection[];
  /** Programs whose output it reads as its input, and the files that they were given, as `<FILE`. */
  readonly from: readonly string[];
  /** Programs whose output it runs: as a script given to a shell or an interpreter, or as its own name. */
  readonly runs: readonly string[];
  /** Text that it reads as its input, where known. */
  readonly input: string | null;
  /** Wrappers that run it, outermost first. */
  readonly via: readonly string[];
  /** Folder that it runs in; null where unknown. */
  readonly folder: string | null;
  readonly place: Place;
  readonly shown: Shown;
  /** Variables that say for which stage or database it runs, as far as the command line sets them. */
  readonly environment: Environment;
  /** Read from a command line that could not be parsed, by its words alone. */
  readonly isGuess: boolean;
  /** Part of a stored script, which is a person's own more often than what an agent types. */
  readonly isStored?: true;
}

/** Known facts about the place where a command line runs. */
export interface ShellContext {
  /** Absolute folder that the shell is in. */
  readonly folder: string | null;
  readonly home: string;
  /** Root of the project, absolute. */
  readonly project: string | null;
  readonly temporary: string;
  /** Returns the beginning of a text file of the project; null where it is none, or not to be looked at. */
  readonly readText?: ((file: string) => string | null) | undefined;
  /** Returns the text of a file that a command runs; null where it is none, or not to be looked at. */
  readonly readScript?: ((file: string) => string | null) | undefined;
}

/** Returns an argument of plain text. */
export function plainArgument(text: string): Argument {
  return { text, isPattern: false, from: [] };
}

export function isUnknown(text: string): boolean {
  return text.includes(unknownPart) || text.includes(unknownText);
}

/** Returns the name of a program without its folder and Windows' extension, in lower case. */
export function programName(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1).toLowerCase();
  return name.replace(/\.(?:exe|cmd|bat|com|ps1)$/u, "");
}
