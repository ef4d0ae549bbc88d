import { inLanguage } from "../base/text/in-language.ts";
import { describeUnknownWord, parseOptions, quoted, type OptionSpec, type ParsedOptions } from "./args.ts";
import type { CliHost, Command, CommandSyntax } from "./cli-ports.ts";
import { printHelp } from "./help.ts";
import { t } from "../base/text/l10n.ts";

/** A subcommand: `backup` of `purser ledger backup FILE`. */
export interface Subcommand {
  readonly specs: Readonly<Record<string, OptionSpec>>;
  /** An argument before the options. If it is required, `isMissing` is the message for a missing one. */
  readonly first?: { readonly isMissing: string | null; readonly value?: string };
  /** `first` is empty where it is not given. Returns the exit code. */
  readonly run: (asked: { options: ParsedOptions; first: string }, host: CliHost) => Promise<number>;
}

/** Creates a command whose first argument names a subcommand. */
export function commandWithSubcommands(
  name: string,
  help: string,
  words: Readonly<Record<string, Subcommand>>,
): Command {
  const run = async ([word, ...rest]: readonly string[], host: CliHost): Promise<number> => {
    if (word === undefined || word === "--help" || word === "-h") {
      printHelp(help, host);
      return 0;
    }
    const chosen = Object.hasOwn(words, word) ? words[word] : undefined;
    if (chosen === undefined) {
      if (word.startsWith("-"))
        return usageError(name, t("a subcommand must come before {0}", quoted(word)), host);
      return usageError(name, describeUnknownWord("subcommand", word, Object.keys(words)), host);
    }
    const [argument] = rest;
    const isGiven = chosen.first !== undefined && argument !== undefined && !argument.startsWith("-");
    const options = parseOptions(isGiven ? rest.slice(1) : rest, chosen.specs);
    if (!options.ok) return usageError(`${name} ${word}`, options.detail, host);
    if (options.value.has("help")) {
      printHelp(help, host);
      return 0;
    }
    const isMissing = chosen.first?.isMissing ?? null;
    if (!isGiven && isMissing !== null) return usageError(`${name} ${word}`, isMissing, host);
    return await chosen.run({ options: options.value, first: isGiven ? argument : "" }, host);
  };
  return { help, syntax: { options: { help: {} }, subcommands: syntaxOf(words) }, run };
}

function syntaxOf(words: Readonly<Record<string, Subcommand>>): Record<string, CommandSyntax> {
  return Object.fromEntries(
    Object.entries(words).map(([word, { specs: options, first: { value: argument } = {} }]) => [
      word,
      argument === undefined ? { options } : { options, argument },
    ]),
  );
}

/**
 * Prints on one line what is wrong with a command's usage, and where its help is; returns the exit code.
 *
 * @param command empty for `purser` itself
 */
export function usageError(command: string, detail: string, { stderr }: Pick<CliHost, "stderr">): number {
  const name = command === "" ? "purser" : `purser ${command}`;
  const words = inLanguage(detail);
  const sentence = `${words}${/[.?。？]$/u.test(words) ? "" : t(".")}`;
  stderr.write(`${name}: ${t("{0} See {1}.", sentence, `${name} --help`)}\n`);
  return 2;
}
