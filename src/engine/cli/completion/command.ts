import { commandWithSubcommands, type Subcommand } from "../subcommands.ts";
import type { CliHost, Command, CommandEntry } from "../ports.ts";
import { bashScript } from "./for-bash.ts";
import { fishScript } from "./for-fish.ts";
import { powershellScript } from "./for-powershell.ts";
import { commandTree, type CommandNode } from "./tree.ts";
import { agentValues, sessionValues } from "./values.ts";
import { zshScript } from "./for-zsh.ts";

const help = `purser completion: completes commands, options and their values in a shell

  purser completion bash         prints the script for bash
  purser completion zsh          prints the script for zsh
  purser completion fish         prints the script for fish
  purser completion powershell   prints the script for PowerShell
  purser completion sessions     prints the sessions of the last week, which the scripts offer for --session
  purser completion agents       prints the agents with golden tasks in this folder, which they offer for AGENT

  --help  print this

To load it whenever the shell starts, add this line to the named file:

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
