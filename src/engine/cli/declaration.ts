import type { Sentence } from "../base/language.ts";
import type { Result } from "../base/result.ts";
import type { Offer, Options, OptionSpec, ParsedOptions } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";

/** Headings of help, in its order. */
export const commandGroups = {
  look: "Look",
  limit: "Limit",
  handOver: "Hand Over",
  measure: "Measure",
  setUp: "Set Up",
  recurring: "Recurring Agents",
} as const;
export type CommandGroup = keyof typeof commandGroups;

interface Usage {
  readonly words?: string;
  readonly does?: string;
}

export interface Argument {
  /** Message if it is missing. Without it, the argument is optional. */
  readonly isMissing?: Sentence;
  readonly offers?: Offer;
  /** Any number of arguments, also between options. */
  readonly isMany?: boolean;
}

export interface CommandInput {
  readonly options: ParsedOptions;
  /** Empty if not given. */
  readonly first: string;
  readonly all: readonly string[];
}

/** Exit code: 0, 1 for a failure, 2 for wrong usage. The reason `bad_argument` means wrong usage. */
export type Done = number | Result<number>;
export type Run = (input: CommandInput, host: CliHost) => Done | Promise<Done>;

/** A subcommand, or the command itself. */
export interface Part<Name extends string = never> extends Usage {
  readonly more?: readonly Usage[];
  readonly argument?: Argument;
  /** Which of the command's options it takes. */
  readonly takes?: readonly Name[];
  /** Options of its own, or with another meaning. */
  readonly options?: Options;
  readonly subcommands?: Readonly<Record<string, Part<Name>>>;
  readonly run?: Run;
}

export interface Subcommand<Name extends string = never> extends Part<Name> {
  /** Heading of a new group in help. */
  readonly heading?: string;
}

/** For parsing, help, completion and l10n. Texts are English sentences, translated when shown. */
export interface Declaration<Name extends string = string> extends Omit<Part<Name>, "options" | "takes"> {
  readonly name: string;
  /** First line of help, after `purser NAME: `. */
  readonly title: string;
  /** Placeholders in lines of usage, and what they stand for. */
  readonly terms?: Readonly<Record<string, string>>;
  /** In the order of help. Each part also has `--help`. */
  readonly options?: Readonly<Record<Name, OptionSpec>>;
  /** Options that another command's help describes, and where. */
  readonly elsewhere?: { readonly does: string; readonly options: Options };
  readonly subcommands?: Readonly<Record<string, Subcommand<NoInfer<Name>>>>;
  /** Paragraphs, separated by an empty line. The lines of one are joined. */
  readonly notes?: string;
  /** Examples to type, and their purpose. Not translated. */
  readonly examples?: Readonly<Record<string, string>>;
}

export interface CommandEntry {
  readonly group: CommandGroup;
  readonly summary: string;
  /** Page of the guide about it. */
  readonly page: string | null;
  /** On demand: every start pays for what is loaded. */
  readonly load: () => Promise<Command>;
}

/** To add one: declare it with `command`, and name it in `commands.ts`. */
export interface Command {
  readonly declaration: Declaration;
  readonly run: (argv: readonly string[], host: CliHost) => Promise<number>;
}
