import { describeUnknownWord } from "./args.ts";
import type { CliHost } from "./ports.ts";
import { commands } from "./commands.ts";
import { usageError } from "./subcommands.ts";
import { withRemedies } from "./doctor/remedies.ts";
import { printHelp } from "./help.ts";

/** Runs `purser` with its arguments; returns the exit code. */
export async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const [name, ...rest] = argv[0] === "help" && argv.length > 1 ? [...argv.slice(1, 2), "--help"] : argv;
  if (name === "--version" || name === "-v") {
    host.stdout.write(`${host.version()}\n`);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    printHelp(mainHelp(), host);
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    if (name.startsWith("-"))
      return usageError("", describeUnknownWord("option", name, ["--help", "--version"]), host);
    return usageError("", describeUnknownWord("command", name, Object.keys(commands), otherNames), host);
  }
  const command = await entry.load();
  return await withRemedies(name, host.stderr, (stderr) => command.run(rest, { ...host, stderr }));
}

/** What people try for a command that has another name. */
const otherNames: Readonly<Record<string, string>> = {
  describe: "guard status",
  config: "doctor",
  info: "doctor",
  settings: "doctor",
  context: "status",
  sessions: "status",
  show: "status",
  cost: "usage",
  stats: "usage",
  tokens: "usage",
  benchmark: "bench",
  eval: "bench",
  install: "hooks install",
  setup: "hooks install",
  uninstall: "hooks uninstall",
};

/** Returns the output of `purser` alone: its commands. */
export function mainHelp(): string {
  const widest = Math.max(...Object.keys(commands).map((name) => name.length));
  const list = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(widest)}  ${summary}\n`,
  );
  return `purser: the context budget of coding agents\n\n${list.join("")}\n  purser COMMAND --help    options of a command\n  purser --version         version\n`;
}
