import { type Sentence, sentence } from "../base/language.ts";
import { describeUnknownWord, parseOptions, quoted, type Options, usageError } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";
import type { Argument, Command, Declaration, Part } from "./declaration.ts";
import { helpOption, pageOf, printHelp } from "./help.ts";
import { asLine } from "./terminal-text.ts";

export function command<const Name extends string>(declaration: Declaration<Name>): Command {
  return {
    declaration,
    run: (argv, host) => runPart(rootOf(declaration), argv, { path: declaration.name, declaration, host }),
  };
}

export function rootOf({ options = {}, run, ...declaration }: Declaration): Part<string> {
  const { argument, subcommands } = declaration;
  const takes = run === undefined ? [] : Object.keys(options);
  return {
    takes,
    ...(run === undefined ? {} : { run }),
    ...(argument === undefined ? {} : { argument }),
    ...(subcommands === undefined ? {} : { subcommands }),
  };
}

export function optionsOf({ takes = [], options = {} }: Part<string>, declaration: Declaration): Options {
  const taken = Object.entries(declaration.options ?? {}).filter(([name]) => takes.includes(name));
  return { ...Object.fromEntries(taken), ...options, help: helpOption };
}

interface Place {
  /** The words of the command so far, after `purser`. */
  readonly path: string;
  readonly declaration: Declaration;
  readonly host: CliHost;
}

async function runPart(part: Part<string>, argv: readonly string[], place: Place): Promise<number> {
  const { path, declaration, host } = place;
  const { subcommands = {}, run, argument } = part;
  const [word = "--help", ...rest] = argv;
  const chosen = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (chosen !== undefined) return await runPart(chosen, rest, { ...place, path: `${path} ${word}` });
  if (run === undefined) {
    if (word === "--help" || word === "-h") return help(place);
    return usageError(path, describeUnknown(word, Object.keys(subcommands)), host);
  }
  const { given, others } = argumentsIn(argv, argument);
  const options = parseOptions(others, optionsOf(part, declaration));
  if (!options.ok) return usageError(path, options.detail, host);
  if (options.value.has("help")) return help(place);
  const [first = ""] = given;
  if (first === "" && argument?.isMissing !== undefined) return usageError(path, argument.isMissing, host);
  const done = await run({ options: options.value, first, all: given }, host);
  if (typeof done === "number") return done;
  if (done.ok) return done.value;
  if (done.reason === "bad_argument") return usageError(path, done.detail, host);
  host.stderr.write(`purser ${declaration.name}: ${asLine(done.detail)}\n`);
  return 1;
}

function help({ declaration, host }: Place): number {
  printHelp(pageOf(declaration), host);
  return 0;
}

function describeUnknown(word: string, known: readonly string[]): Sentence {
  return word.startsWith("-")
    ? sentence("a subcommand must come before {0}", quoted(word))
    : describeUnknownWord("subcommand", word, known);
}

function argumentsIn(
  argv: readonly string[],
  argument: Argument | undefined,
): { readonly given: readonly string[]; readonly others: readonly string[] } {
  const isArgument = (word: string) => word !== "" && !word.startsWith("-");
  if (argument?.isMany === true)
    return { given: argv.filter(isArgument), others: argv.filter((word) => !isArgument(word)) };
  const most = argument !== undefined && isArgument(argv[0] ?? "") ? 1 : 0;
  return { given: argv.slice(0, most), others: argv.slice(most) };
}
