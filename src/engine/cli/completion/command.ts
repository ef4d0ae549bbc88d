import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import type { CliHost, Command, CommandEntry } from "../ports.ts";
import { bashScript } from "./for-bash.ts";
import { fishScript } from "./for-fish.ts";
import { powershellScript } from "./for-powershell.ts";
import { commandTree, type CommandNode } from "./tree.ts";
import { agentValues, sessionValues } from "./values.ts";
import { zshScript } from "./for-zsh.ts";

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
