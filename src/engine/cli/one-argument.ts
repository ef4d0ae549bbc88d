import { parseOptions, type OptionSpec, type ParsedOptions } from "./args.ts";
import type { CliHost, Command } from "./cli-ports.ts";
import { usageError } from "./subcommands.ts";
import { printHelp } from "./help.ts";

/** A command with one argument before its options: `purser evolve backend --yes`. */
export function commandOfArgument(
  name: string,
  help: string,
  {
    specs,
    isMissing,
    value,
  }: {
    readonly specs: Readonly<Record<string, OptionSpec>>;
    readonly isMissing: string;
    /** The argument's form, as that of an option's value. */
    readonly value: string;
  },
  work: (asked: { argument: string; options: ParsedOptions }, host: CliHost) => Promise<number>,
): Command {
  const run = async (argv: readonly string[], host: CliHost): Promise<number> => {
    const [argument, ...rest] = argv;
    const isGiven = argument !== undefined && !argument.startsWith("-");
    const options = parseOptions(isGiven ? rest : argv, specs);
    if (!options.ok) return usageError(name, options.detail, host);
    if (options.value.has("help")) {
      printHelp(help, host);
      return 0;
    }
    if (!isGiven) return usageError(name, isMissing, host);
    return await work({ argument, options: options.value }, host);
  };
  return { help, syntax: { options: specs, argument: value }, run };
}
