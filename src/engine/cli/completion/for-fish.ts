import type { CommandNode, Kind, OfferedOption } from "./completion-tree.ts";

export function fishScript(nodes: readonly CommandNode[]): string {
  return `# Completes purser in fish. Load it with: purser completion fish | source
function __purser_at
    set -l known ${nodes.flatMap(({ path }) => (path === "" ? [] : [quoted(path)])).join(" ")}
    set -l at
    set -l words (commandline -opc)[2..-1]
    for word in $words
        set -l longer (string join ' ' -- $at $word)
        contains -- $longer $known; or break
        set at $longer
    end
    test "$argv[1]" = "$at"; or return 1
    # The argument of a command comes right after its words.
    test -z "$argv[2]"; and return 0
    test (count (string split -n ' ' -- "$at")) -eq (count $words)
end
complete -c purser -e
complete -c purser -f
${nodes.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, subcommands, options, argument }: CommandNode): string[] {
  const here = `complete -c purser -n ${quoted(`__purser_at ${quoted(path)}`)}`;
  const first = `complete -c purser -n ${quoted(`__purser_at ${quoted(path)} first`)}`;
  return [
    ...subcommands.map(({ name, description }) => `${first} -a ${name}${described(description)}`),
    ...(argument === null ? [] : [`${first}${ofKind(argument)}`]),
    ...options.map((option) => `${here} -l ${option.name}${valueOf(option)}${described(option.description)}`),
  ];
}

function valueOf({ takesValue, choices, kind }: OfferedOption): string {
  if (!takesValue) return "";
  if (choices.length > 0) return ` -x -a ${quoted(choices.join(" "))}`;
  return kind === null ? " -x" : ` -r${ofKind(kind)}`;
}

function ofKind(kind: Exclude<Kind, null>): string {
  if (kind === "file") return " -F";
  if (kind === "folder") return ` -f -a ${quoted("(__fish_complete_directories (commandline -ct))")}`;
  return ` -f -a ${quoted(`(command purser completion ${kind} 2>/dev/null)`)}`;
}

function described(description: string): string {
  return description === "" ? "" : ` -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
