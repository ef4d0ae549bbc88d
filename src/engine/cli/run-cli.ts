import { describeUnknownWord, usageError } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";
import { commands } from "./commands.ts";
import { withRemedies } from "./doctor/remedies.ts";

export async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const [name, ...rest] = argv;
  if (name === "--version" || name === "-v") {
    host.stdout.write(`${host.version()}\n`);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const { slowParts } = await import("./slow-parts.ts");
    return await (
      await slowParts.help()
    )(name === "help" ? rest[0] : undefined, host, commands);
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    if (name.startsWith("-"))
      return usageError("", describeUnknownWord("option", name, ["--help", "--version"]), host);
    return usageError("", describeUnknownWord("command", name, Object.keys(commands), otherNames), host);
  }
  const command = await entry.load();
  return await withRemedies(name, host.stderr, (stderr) =>
    command.run(rest, { ...host, stderr, words: argv }),
  );
}

/** Common names of commands that are called differently here. */
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
