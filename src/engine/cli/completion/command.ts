import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import type { CliHost, Command, CommandEntry } from "../cli-ports.ts";
import { bashScript } from "./for-bash.ts";
import { fishScript } from "./for-fish.ts";
import { powershellScript } from "./for-powershell.ts";
import { commandTree, type CommandNode } from "./completion-tree.ts";
import { zshScript } from "./for-zsh.ts";
import { cleanText, cutEnd } from "../../base/text/text.ts";
import { parseOptions } from "../args.ts";

/** A shell shows a list of them. */
const [maxSessions, maxTitleLength] = [40, 60];
/** The beginning of an id is enough to find a session by. Characters. */
const shortId = 8;

/** Returns the newest sessions, a line each: its id, a tab, and what it is about. */
async function sessionValues(host: CliHost): Promise<string> {
  const { readSessions } = await import("../sessions/command.ts");
  const { sessions } = await readSessions(host);
  return sessions
    .toSorted((one, other) => (other.lastActivity ?? 0) - (one.lastActivity ?? 0))
    .slice(0, maxSessions)
    .map(
      ({ id, title, cwd }) =>
        `${cleanText(id.slice(0, shortId))}\t${cutEnd(cleanText(title ?? cwd ?? ""), maxTitleLength)}\n`,
    )
    .join("");
}

/**
 * Returns the agents with golden tasks, one per line. Empty for a faulty suite: its own commands report the
 * faults.
 */
async function agentValues(host: CliHost): Promise<string> {
  const { goldenSuite, suiteOptions } = await import("../bench/golden/target.ts");
  const options = parseOptions([], suiteOptions);
  if (!options.ok) return "";
  const suite = await goldenSuite(options.value, { ...host, stderr: { write: () => true } });
  return suite.ok ? suite.value.agents.map(({ name }) => `${cleanText(name)}\n`).join("") : "";
}

const help = `purser completion: complete commands, options and their values in your shell

  purser completion bash         print the script for bash
  purser completion zsh          print the script for zsh
  purser completion fish         print the script for fish
  purser completion powershell   print the script for PowerShell
  purser completion sessions     print the sessions of the last week, which the scripts offer for --session
  purser completion agents       print the agents with golden tasks in this folder, which the scripts offer for AGENT

  --help  print this help

To load it in every shell, add the line to the file:

  bash        ~/.bashrc                     source <(purser completion bash)
  zsh         ~/.zshrc, below compinit      source <(purser completion zsh)
  fish        ~/.config/fish/config.fish    purser completion fish | source
  PowerShell  the file in $PROFILE          purser completion powershell | Out-String | Invoke-Expression
`;

const scripts: Readonly<Record<string, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** @param commands all of `purser`'s, by name */
export function completionCommand(commands: Readonly<Record<string, CommandEntry>>): Command {
  const printing = (textOf: (host: CliHost) => Promise<string>): Subcommand => ({
    specs: { help: {} },
    run: async (_, host) => {
      host.stdout.write(await textOf(host));
      return 0;
    },
  });
  return commandWithSubcommands("completion", help, {
    ...Object.fromEntries(
      Object.entries(scripts).map(([shell, script]) => [
        shell,
        printing(async () => script(await commandTree(commands))),
      ]),
    ),
    sessions: printing(sessionValues),
    agents: printing(agentValues),
  });
}
