import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Command, CommandEntry, Subcommand } from "../declaration.ts";
import { bashScript } from "./for-bash.ts";
import { fishScript } from "./for-fish.ts";
import { powershellScript } from "./for-powershell.ts";
import { commandTree, type CommandNode } from "./completion-tree.ts";
import { zshScript } from "./for-zsh.ts";
import { cleanText, cutEnd } from "../../base/text.ts";
import { parseOptions } from "../args.ts";

const [maxSessions, maxTitleLength] = [40, 60];
/** Enough to find a session by. Characters. */
const shortId = 8;

/** The newest sessions, one per line: id, tab, title. */
async function sessionValues(host: CliHost): Promise<string> {
  const { readSessions } = await import("../sessions/sessions-command.ts");
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

/** Empty for a faulty suite, which its own commands report. */
async function agentValues(host: CliHost): Promise<string> {
  const { goldenSuite, suiteOptions } = await import("../bench/golden/target.ts");
  const options = parseOptions([], suiteOptions);
  if (!options.ok) return "";
  const suite = await goldenSuite(options.value, { ...host, stderr: { write: () => true } });
  return suite.ok ? suite.value.agents.map(({ name }) => `${cleanText(name)}\n`).join("") : "";
}

export function completionCommand(commands: Readonly<Record<string, CommandEntry>>): Command {
  const printing = (does: string, textOf: (host: CliHost) => Promise<string>): Subcommand => ({
    does,
    run: async (_, host) => {
      host.stdout.write(await textOf(host));
      return 0;
    },
  });
  const script = (does: string, write: (nodes: readonly CommandNode[]) => string) =>
    printing(does, async () => write(await commandTree(commands)));
  return command({
    name: "completion",
    title: "complete commands, options and their values in your shell",
    subcommands: {
      bash: script("print the script for bash", bashScript),
      zsh: script("print the script for zsh", zshScript),
      fish: script("print the script for fish", fishScript),
      powershell: script("print the script for PowerShell", powershellScript),
      sessions: printing(
        "print the sessions of the last week, which the scripts offer for --session",
        sessionValues,
      ),
      agents: printing(
        "print the agents with golden tasks in this folder, which the scripts offer for AGENT",
        agentValues,
      ),
    },
    notes: "To load it in every shell, add the line to the file:",
    examples: {
      "bash: ~/.bashrc": "source <(purser completion bash)",
      "zsh: ~/.zshrc, below compinit": "source <(purser completion zsh)",
      "fish: ~/.config/fish/config.fish": "purser completion fish | source",
      "PowerShell: the file in $PROFILE": "purser completion powershell | Out-String | Invoke-Expression",
    },
  });
}
