import { describeUnknownWord, usageError } from "./args.ts";
import type { CliHost } from "./cli-ports.ts";
import { commands, formerNames } from "./commands.ts";
import { withRemedies } from "./doctor/remedies.ts";

/** Other names that people try. */
const aliases: Readonly<Record<string, readonly string[]>> = { sessions: ["status", "--all"] };

export async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const [typed, ...others] = argv;
  if (typed === undefined) {
    const { slowParts } = await import("./slow-parts.ts");
    const printFirstPage = await slowParts.firstPage();
    return await withRemedies("status", host.stderr, (stderr) =>
      printFirstPage({ ...host, stderr }, commands),
    );
  }
  if (Object.hasOwn(aliases, typed)) return await run([...(aliases[typed] ?? []), ...others], host);
  const renamed = nameNow(typed);
  if (renamed !== undefined) {
    const { slowParts } = await import("./slow-parts.ts");
    (await slowParts.noteFormerName())(typed, renamed, host);
    return await run([renamed, ...others], host);
  }
  return await runNamed(typed, others, host);
}

/** Undefined for a name that did not change. */
function nameNow(typed: string): string | undefined {
  return Object.hasOwn(formerNames, typed) ? formerNames[typed] : undefined;
}

async function runNamed(name: string, rest: readonly string[], host: CliHost): Promise<number> {
  if (name === "version" || name === "--version" || name === "-v") {
    host.stdout.write(`${host.version()}\n`);
    return 0;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    const { slowParts } = await import("./slow-parts.ts");
    const [topic] = name === "help" ? rest : [];
    const help = await slowParts.help();
    return await help(topic === undefined ? undefined : (nameNow(topic) ?? topic), host, commands);
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    if (name.startsWith("-"))
      return usageError("", describeUnknownWord("option", name, ["--help", "--version"]), host);
    return usageError("", describeUnknownWord("command", name, Object.keys(commands), otherNames), host);
  }
  const command = await entry.load();
  return await withRemedies(name, host.stderr, (stderr) =>
    command.run(rest, { ...host, stderr, words: [name, ...rest] }),
  );
}

/** Common names of commands that are called differently here. */
const otherNames: Readonly<Record<string, string>> = {
  describe: "guard status",
  config: "doctor",
  info: "doctor",
  settings: "doctor",
  context: "status",
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
