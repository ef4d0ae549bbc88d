import { t } from "../base/language.ts";
import type { CliHost } from "./cli-ports.ts";
import { commandGroups, type CommandEntry } from "./declaration.ts";
import { printHelp, rowsOf, type HelpPage } from "./help.ts";

/** The commands that most people need, in short. English sentences, translated when shown. */
export const firstCommands: Readonly<Record<string, string>> = {
  status: "how full each session's context is",
  usage: "where the tokens and the money went",
  why: "why a day or a session cost what it did",
  session: "how a session's work is going",
  budget: "limit what agents may spend",
  guard: "check tool calls for danger and waste",
  handover: "go on in a new session, or with another agent",
  bench: "tokens that an agent needs for a fixed set of tasks",
  compare: "which of two models, prompts or settings is cheaper",
  rules: "advice for agents that is shown to save",
  hooks: "let agents know, and hold them to limits",
  doctor: "check the installation",
};

/** `purser` alone: the status, and the commands that most people need. */
export async function printFirstPage(
  host: CliHost,
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<number> {
  const code = (await (await commands["status"]?.load())?.run([], host)) ?? 1;
  host.stdout.write("\n");
  printHelp(firstPage(commands), host);
  return code;
}

export function firstPage(commands: Readonly<Record<string, CommandEntry>>): HelpPage {
  return {
    sections: [
      ...groupsOf(commands, (name) => firstCommands[name]),
      rowsOf({
        "purser COMMAND --help": "options of a command",
        "purser help": "all commands, and the pages of the guide",
      }),
    ],
  };
}

/** @param textOf undefined for a command that is left out */
export function groupsOf(
  commands: Readonly<Record<string, CommandEntry>>,
  textOf: (name: string) => string | undefined,
): HelpPage["sections"] {
  return Object.entries(commandGroups).flatMap(([group, heading]) => {
    const rows = Object.entries(commands).flatMap(([name, entry]) => {
      const text = entry.group === group ? textOf(name) : undefined;
      return text === undefined ? [] : [{ head: name, text }];
    });
    return rows.length === 0 ? [] : [{ heading, rows }];
  });
}

/** One line on standard error. */
export function noteFormerName(former: string, name: string, { stderr }: Pick<CliHost, "stderr">): void {
  stderr.write(
    `purser: ${t("{0} is called {1} now; the old name works in this version only", former, name)}\n`,
  );
}
