import path from "node:path";
import { plainSentence, sentence, type Sentence, sentenceOf, inWords, t } from "../base/language.ts";
import { asLine } from "./terminal-text.ts";
import { nearestOf, printedJson } from "../base/text.ts";
import { fail, succeed, type Failure, type Result } from "../base/result.ts";
import type { CliHost } from "./cli-ports.ts";

/** Returns the exit code. `command` is empty for `purser` itself. */
export function usageError(command: string, detail: Sentence, { stderr }: Pick<CliHost, "stderr">): number {
  const name = command === "" ? "purser" : `purser ${command}`;
  const words = inWords(detail);
  const whole = `${words}${/[.?。？]$/u.test(words) ? "" : t(".")}`;
  stderr.write(`${name}: ${t("{0} See {1}.", whole, `${name} --help`)}\n`);
  return 2;
}

/** The failure of a command that was used wrongly. It exits with code 2. */
export function wrongUsage(detail: Sentence): Failure<"bad_argument"> {
  return fail("bad_argument", detail);
}

/** Source of a value's completions in a shell: files, folders, or an answer of `purser completion`. */
export type Offer = "file" | "folder" | "sessions" | "agents";

/** An option, without its dashes. One with a `value` takes one: `--by day` or `--by=day`. */
export interface OptionSpec {
  /** For help and shells. Help leaves out an option without it. */
  readonly does?: string;
  /** A name of version 0.1, which is still taken but not offered. */
  readonly isFormer?: boolean;
  /** The value's form, for error messages: `a folder`, `day, session or model`. */
  readonly value?: string;
  /** The value's name in help: `DIR` of `--cwd DIR`. */
  readonly name?: string;
  readonly choices?: readonly string[];
  /** Tests a value that depends on neither other options nor the place. Default: it is one of the choices. */
  readonly accepts?: (value: string) => boolean;
  readonly offers?: Offer;
}

export type Options = Readonly<Record<string, OptionSpec>>;

export function flag(does: string): OptionSpec {
  return { does };
}

export function option(name: string, value: string, does: string, offers?: Offer): OptionSpec {
  return { does, value, name, ...(offers === undefined ? {} : { offers }) };
}

export function oneOf(
  choices: readonly string[],
  name?: string,
  does?: string,
): OptionSpec & { readonly value: string; readonly choices: readonly string[] } {
  return {
    value: choices.join(", "),
    choices,
    ...(name === undefined ? {} : { name }),
    ...(does === undefined ? {} : { does }),
  };
}

export function folder(does: string): OptionSpec {
  return { does, value: "a folder", name: "DIR", offers: "folder" };
}

/** An option whose value is a whole number. `numberIn` reads it. */
export function number(
  name: string,
  does: string,
  { from, to }: { readonly from: number; readonly to: number },
): OptionSpec {
  return {
    does,
    value: `a number from ${from} to ${to}`,
    name,
    accepts: (text) => /^\d{1,15}$/u.test(text) && Number(text) >= from && Number(text) <= to,
  };
}

export function jsonOf(schema: string): OptionSpec {
  return { does: `print JSON (schema: media/schemas/${schema}.schema.json)` };
}

export interface ParsedOptions {
  has(name: string): boolean;
  /** The last value given. */
  value(name: string): string | undefined;
  /** Each value given, in order. */
  values(name: string): readonly string[];
}

export function choiceIn<Choice extends string>(
  options: ParsedOptions,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = options.value(name);
  return choices.find((each) => each === given);
}

/** Null if the option is not given. */
export function numberIn(options: ParsedOptions, name: string): number | null {
  const given = options.value(name);
  return given === undefined ? null : Number(given);
}

/** Null if the option is not given. */
export function folderIn(options: ParsedOptions, name: string, cwd: string): string | null {
  const given = options.value(name);
  return given === undefined ? null : path.resolve(cwd, given);
}

export function withValue(options: ParsedOptions, name: string, value: string): ParsedOptions {
  return {
    has: (wanted) => wanted === name || options.has(wanted),
    value: (wanted) => (wanted === name ? value : options.value(wanted)),
    values: (wanted) => (wanted === name ? [...options.values(wanted), value] : options.values(wanted)),
  };
}

/** Takes options only. A failure's detail names the fault and a likely correction. */
export function parseOptions(argv: readonly string[], specs: Options): Result<ParsedOptions, "bad_argument"> {
  const given = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    const [, name, inline] = /^--([^=]+)(?:=(.*))?$/su.exec(argument === "-h" ? "--help" : argument) ?? [];
    const spec = name === undefined || !Object.hasOwn(specs, name) ? undefined : specs[name];
    if (name === undefined || spec === undefined) {
      return fail("bad_argument", plainSentence(asLine(describeUnknown(argument, specs))));
    }
    if (spec.value === undefined) {
      if (inline !== undefined) return wrongUsage(sentence("--{0} takes no value; give just --{0}", name));
      given.set(name, [""]);
      continue;
    }
    const next = argv[index + 1];
    const value = inline ?? (next?.startsWith("--") === true ? undefined : next);
    if (value === undefined || value === "")
      return wrongUsage(sentence("--{0} needs a value: {1}", name, sentenceOf(spec.value)));
    const { choices, accepts = (text) => choices?.includes(text) ?? true } = spec;
    if (!accepts(value))
      return fail(
        "bad_argument",
        choices === undefined
          ? sentence("--{0} {1} is not {2}", name, quoted(value), sentenceOf(spec.value))
          : sentence("--{0} {1} is not one of {2}", name, quoted(value), choices.join(", ")),
      );
    if (inline === undefined) index += 1;
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return succeed({
    has: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1),
    values: (name) => given.get(name) ?? [],
  });
}

/** Formats an argument for a message: one line, whatever it contains. */
export function quoted(argument: string): string {
  return printedJson(argument.length > 60 ? `${argument.slice(0, 60)}…` : argument);
}

function describeUnknown(argument: string, specs: Options): Sentence {
  const isOption = argument.startsWith("-");
  const what = quoted(argument);
  const [name = ""] = argument.replace(/^-+/u, "").split("=");
  const near = Object.hasOwn(specs, name) ? name : meant(name, Object.keys(specs));
  if (near === undefined)
    return isOption ? sentence("unknown option {0}", what) : sentence("unexpected argument {0}", what);
  return isOption
    ? sentence("unknown option {0}; did you mean {1}?", what, `--${near}`)
    : sentence("unexpected argument {0}; did you mean {1}?", what, `--${near}`);
}

/** Names the word that was probably meant. */
export function describeUnknownWord(
  kind: "command" | "subcommand" | "option" | "topic",
  word: string,
  known: readonly string[],
  otherNames: Readonly<Record<string, string>> = {},
): Sentence {
  const near = Object.hasOwn(otherNames, word) ? otherNames[word] : meant(word, known);
  const what = quoted(word);
  switch (kind) {
    case "command":
      return near === undefined
        ? sentence("unknown command {0}", what)
        : sentence("unknown command {0}; did you mean {1}?", what, near);
    case "subcommand":
      return near === undefined
        ? sentence("unknown subcommand {0}", what)
        : sentence("unknown subcommand {0}; did you mean {1}?", what, near);
    case "topic":
      return near === undefined
        ? sentence("no help on {0}", what)
        : sentence("no help on {0}; did you mean {1}?", what, near);
    case "option":
      return near === undefined
        ? sentence("unknown option {0}", what)
        : sentence("unknown option {0}; did you mean {1}?", what, near);
  }
}

/** Shorter words are near to too many others. Characters. */
const minGuessedLength = 3;

function meant(word: string, known: readonly string[]): string | undefined {
  return word.length < minGuessedLength ? undefined : nearestOf(word, known, 1)[0];
}
