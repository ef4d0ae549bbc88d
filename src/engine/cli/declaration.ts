import type { Sentence } from "../base/language.ts";
import type { Result } from "../base/result.ts";
import type { Offer, Options, OptionSpec, ParsedOptions } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";

/** A line of usage: the words after a command, and what they do. */
interface Usage {
  readonly words?: string;
  readonly does?: string;
}

/** The argument between a command's words and its options. */
export interface Argument {
  /** The message for a missing one; without it, it may be left out. */
  readonly isMissing?: Sentence;
  readonly offers?: Offer;
  /** Takes any number of arguments, also between options. */
  readonly isMany?: boolean;
}

export interface Asked {
  readonly options: ParsedOptions;
  /** The argument; empty where it is not given. */
  readonly first: string;
  /** All arguments, where there may be many. */
  readonly all: readonly string[];
}

/** The exit code: 0, 1 for a failure, 2 for wrong usage. A failure with the reason `bad_argument` is wrong usage. */
export type Done = number | Result<number>;
export type Run = (asked: Asked, host: CliHost) => Done | Promise<Done>;

/** A command's subcommand, or the command itself. */
export interface Part<Name extends string = never> extends Usage {
  /** Further lines of usage. */
  readonly more?: readonly Usage[];
  readonly argument?: Argument;
  /** The command's options that it takes. */
  readonly takes?: readonly Name[];
  /** Options that only it takes, or that it takes in another sense. */
  readonly options?: Options;
  readonly subcommands?: Readonly<Record<string, Part<Name>>>;
  readonly run?: Run;
}

export interface Subcommand<Name extends string = never> extends Part<Name> {
  /** A line above it in help, where a new group begins. */
  readonly heading?: string;
}

/**
 * Declares a command for parsing, help, completion and the list of sentences to translate. Texts are English sentences, which help and
 * completion translate.
 */
export interface Declaration<Name extends string = string> extends Omit<Part<Name>, "options" | "takes"> {
  readonly name: string;
  /** The rest of the first line of its help, after `purser NAME: `. */
  readonly title: string;
  /** Words of the lines of usage, and what they stand for. */
  readonly terms?: Readonly<Record<string, string>>;
  /** The options of the command and its subcommands, in the order of help. Each of them also has `--help`. */
  readonly options?: Readonly<Record<Name, OptionSpec>>;
  /** Options that another command's help describes, and where. */
  readonly elsewhere?: { readonly does: string; readonly options: Options };
  readonly subcommands?: Readonly<Record<string, Subcommand<NoInfer<Name>>>>;
  /** Paragraphs, separated by an empty line. The lines of one are joined. */
  readonly notes?: string;
  /** Examples to type, each with its purpose. They are not translated. */
  readonly examples?: Readonly<Record<string, string>>;
}

export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The page of the guide about it. */
  readonly page: string | null;
  /** Loads a command's code on demand: every start pays for what is loaded. */
  readonly load: () => Promise<Command>;
}

/** A command of `purser`. To add one: declare it with `command`, and name it in `commands.ts`. */
export interface Command {
  readonly declaration: Declaration;
  /** Returns the exit code: 0, 1 for a failure, 2 for wrong usage. */
  readonly run: (argv: readonly string[], host: CliHost) => Promise<number>;
}
