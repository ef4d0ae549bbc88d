import { describeUnknownWord } from "../args.ts";
import { withRemedies } from "../doctor/remedies.ts";
import { printHelp } from "../help.ts";
import type { CliHost, CommandEntry } from "../cli-ports.ts";
import { usageError } from "../subcommands.ts";
import { printPage } from "./print-page.ts";
import { topics } from "./topics.ts";

type Commands = Readonly<Record<string, CommandEntry>>;

/** Prints a page of the guide, else the help of a command; without a word, all commands and pages. Returns the exit code. */
export async function helpOn(word: string | undefined, host: CliHost, commands: Commands): Promise<number> {
  if (word === undefined || word === "--help" || word === "-h") {
    printHelp(mainHelp(commands), host);
    return 0;
  }
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (Object.hasOwn(topics, word)) {
    const command = entry === undefined ? null : word;
    return await withRemedies("help", host.stderr, (stderr) => printPage(word, command, { ...host, stderr }));
  }
  if (entry === undefined) {
    const known = [...Object.keys(commands), ...Object.keys(topics)];
    return usageError("", describeUnknownWord("topic", word, known), host);
  }
  printHelp((await entry.load()).help, host);
  return 0;
}

/** Returns the output of `purser` alone: its commands, and the pages of its guide. */
export function mainHelp(commands: Commands): string {
  const entries = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return `purser: the context budget of coding agents

${listOf(entries)}
  purser COMMAND --help    options of a command
  purser help TOPIC        a page of the guide
  purser --version         version

Topics of the guide:

${listOf(Object.entries(topics))}`;
}

function listOf(entries: readonly (readonly [name: string, summary: string])[]): string {
  const widest = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, summary]) => `  ${name.padEnd(widest)}  ${summary}\n`).join("");
}
