import { describeUnknownWord } from "../args.ts";
import { withRemedies } from "../doctor/remedies.ts";
import { pageOf, printHelp, rowsOf, type HelpPage } from "../help.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandEntry } from "../declaration.ts";
import { usageError } from "../usage-error.ts";
import { printPage } from "./print-page.ts";
import { topics } from "./topics.ts";

type Commands = Readonly<Record<string, CommandEntry>>;

/** A page of the guide, else a command's help. Without a word, all commands and pages. */
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
  printHelp(pageOf((await entry.load()).declaration), host);
  return 0;
}

export function mainHelp(commands: Commands): HelpPage {
  const summaries = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return {
    name: "purser",
    title: "the context budget of coding agents",
    sections: [
      rowsOf(Object.fromEntries(summaries)),
      rowsOf({
        "purser COMMAND --help": "options of a command",
        "purser help TOPIC": "a page of the guide",
        "purser --version": "version",
      }),
      "Topics of the guide:",
      rowsOf(topics),
    ],
  };
}
