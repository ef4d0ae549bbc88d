import type { OptionSpec } from "../args.ts";
import { topics } from "../guide/topics.ts";
import type { CommandEntry, CommandSyntax } from "../cli-ports.ts";

/** The source of the values that a shell offers: files, folders, or an answer of purser at that time. */
export type Kind = "file" | "folder" | "sessions" | "agents" | null;

export interface OfferedOption {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly kind: Kind;
}

/** Everything that may follow a command's words. */
export interface CommandNode {
  /** The command's words after `purser`: `golden list`. Empty for `purser` itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OfferedOption[];
  /** The kind of the argument right after the words; null for another kind, or none. */
  readonly argument: Kind;
}

/** Reads from the commands' own descriptions what a shell can offer. Each node is after the one that its words begin with. */
export async function commandTree(commands: Readonly<Record<string, CommandEntry>>): Promise<CommandNode[]> {
  const named = (entries: readonly (readonly [name: string, summary: string])[]) =>
    entries.map(([name, summary]) => ({ name, description: inShort(summary) }));
  const subcommands = named(Object.entries(commands).map(([name, { summary }]) => [name, summary]));
  const options = [
    { ...offered("help", {}), description: "print the commands" },
    { ...offered("version", {}), description: "print the version" },
  ];
  const help = { name: "help", description: "print a page of the guide, or the help of a command" };
  const pages = named(Object.entries(topics));
  // A page comes before the command of its name, as it does for `purser help`.
  const helped = [...pages, ...subcommands.filter(({ name }) => !Object.hasOwn(topics, name))];
  const nodes: CommandNode[] = [
    { path: "", subcommands: [...subcommands, help], options, argument: null },
    { path: "help", subcommands: helped, options: options.slice(0, 1), argument: null },
  ];
  for (const [name, { load }] of Object.entries(commands)) {
    const { help, syntax } = await load();
    nodes.push(...nodesOf(name, syntax, help));
  }
  return nodes;
}

function nodesOf(path: string, syntax: CommandSyntax, help: string): CommandNode[] {
  const below = Object.entries(syntax.subcommands ?? {});
  const node = {
    path,
    subcommands: below.map(([name]) => ({ name, description: describedIn(help, `purser ${path} ${name}`) })),
    options: Object.entries(syntax.options).map(([name, spec]) => ({
      ...offered(name, spec),
      description: describedIn(help, `--${name}`) || inShort(spec.value ?? ""),
    })),
    argument: kindOf(syntax.argument),
  };
  return [node, ...below.flatMap(([name, child]) => nodesOf(`${path} ${name}`, child, help))];
}

function offered(name: string, { value, choices = [] }: OptionSpec): Omit<OfferedOption, "description"> {
  return { name, takesValue: value !== undefined, choices, kind: kindOf(value) };
}

/** Derives the kind of values to offer from a value's form in the help text. */
function kindOf(form: string | undefined): Kind {
  if (form === undefined) return null;
  if (/\bfolder$/u.test(form)) return "folder";
  if (/^an? (?:file|settings\.json|\.mcp\.json)\b/u.test(form)) return "file";
  if (/^a session's id\b/iu.test(form)) return "sessions";
  return form.startsWith("an agent's name") ? "agents" : null;
}

/**
 * Returns a short description of a command or an option from a help text. Empty if no line begins with it.
 */
function describedIn(help: string, words: string): string {
  const line = help
    .split("\n")
    .find((each) => each.startsWith(`  ${words}`) && /^(?:[ ,]|$)/u.test(each.slice(words.length + 2)));
  return inShort(/^ {2}\S.*?(?<! ) {2,}(\S.*)/u.exec(line ?? "")?.[1] ?? "");
}

/** A shell has one line for it. Characters. */
const maxDescriptionLength = 70;

function inShort(text: string): string {
  const [first = ""] = text.split(/[;:]|\. /u);
  if (first.length <= maxDescriptionLength) return first;
  return `${first.slice(0, first.lastIndexOf(" ", maxDescriptionLength))}…`;
}
