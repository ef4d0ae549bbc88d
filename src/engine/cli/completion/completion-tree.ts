import type { Offer, OptionSpec } from "../args.ts";
import { optionsOf, rootOf } from "../command.ts";
import type { CommandEntry, Declaration, Part } from "../declaration.ts";
import { topics } from "../guide.ts";

export type Kind = Offer | null;

export interface OfferedOption {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly kind: Kind;
}

export interface CommandNode {
  /** The command's words after `purser`: `golden list`. Empty for `purser` itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OfferedOption[];
  /** Null for another kind, or none. */
  readonly argument: Kind;
}

/** A node comes after the one that its words begin with. */
export async function commandTree(commands: Readonly<Record<string, CommandEntry>>): Promise<CommandNode[]> {
  const named = (entries: readonly (readonly [name: string, summary: string])[]) =>
    entries.map(([name, summary]) => ({ name, description: inShort(summary) }));
  const subcommands = named(Object.entries(commands).map(([name, { summary }]) => [name, summary]));
  const options = [
    offered("help", { does: "print the commands" }),
    offered("version", { does: "print the version" }),
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
    const { declaration } = await load();
    nodes.push(...nodesOf(name, rootOf(declaration), declaration));
  }
  return nodes;
}

function nodesOf(path: string, part: Part<string>, declaration: Declaration): CommandNode[] {
  const { subcommands = {}, argument } = part;
  const below = Object.entries(subcommands);
  const node: CommandNode = {
    path,
    subcommands: below.map(([name, { does = "" }]) => ({ name, description: inShort(does) })),
    options: Object.entries(optionsOf(part, declaration))
      .filter(([, { isFormer }]) => isFormer !== true)
      .map(([name, spec]) => offered(name, spec)),
    argument: argument?.offers ?? null,
  };
  return [node, ...below.flatMap(([name, child]) => nodesOf(`${path} ${name}`, child, declaration))];
}

function offered(name: string, { does, value, choices = [], offers }: OptionSpec): OfferedOption {
  return {
    name,
    description: inShort(does ?? value ?? ""),
    takesValue: value !== undefined,
    choices,
    kind: offers ?? null,
  };
}

/** A shell shows one line. Characters. */
const maxDescriptionLength = 70;

function inShort(text: string): string {
  const [first = ""] = text
    .replace(/^(?:for|with) [^:]*: /u, "")
    .replaceAll(/ \([^()]*\)/gu, "")
    .split(/[;:]|\. /u);
  if (first.length <= maxDescriptionLength) return first;
  return `${first.slice(0, first.lastIndexOf(" ", maxDescriptionLength))}…`;
}
