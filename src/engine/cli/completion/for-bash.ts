import type { CommandNode, Kind, OfferedOption } from "./completion-tree.ts";

/** For bash 3.2 and later, without other packages. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# Completes purser in bash. Load it with: source <(purser completion bash)
_purser() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" word="" i=1
  COMPREPLY=()
  # Bash takes --by=day for three words.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  while ((i < COMP_CWORD)); do
    word=\${COMP_WORDS[i]}
    case "\${at:+$at }$word" in
${casesOf(nodes.filter(({ path }) => path !== ""))}
      *) break ;;
    esac
    i=$((i + 1))
  done
  case "$at $prev" in
${nodes.flatMap(valueCases).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case "$at" in
${nodes.map(({ path, options }) => `      ${quoted(path)}) _purser_words ${quoted(options.map(({ name }) => `--${name}`).join(" "))} ;;`).join("\n")}
    esac
  elif ((i == COMP_CWORD)); then
    case "$at" in
${nodes.flatMap(argumentCase).join("\n")}
    esac
  fi
}
_purser_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_purser_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_purser_ask() {
  _purser_words "$("\${COMP_WORDS[0]}" completion "$1" 2>/dev/null | cut -f1)"
}
complete -F _purser purser
`;
}

function casesOf(nodes: readonly CommandNode[]): string {
  return nodes.map(({ path }) => `      ${quoted(path)}) at=${quoted(path)} ;;`).join("\n");
}

function valueCases({ path, options }: CommandNode): string[] {
  return options.flatMap((option) => {
    if (!option.takesValue) return [];
    return [`    ${quoted(`${path} --${option.name}`)}) ${offer(option)}return ;;`];
  });
}

function offer({ choices, kind }: Pick<OfferedOption, "choices" | "kind">): string {
  if (choices.length > 0) return `_purser_words ${quoted(choices.join(" "))}; `;
  return kind === null ? "" : `${ofKind(kind)}; `;
}

function ofKind(kind: Exclude<Kind, null>): string {
  if (kind === "file") return "_purser_paths -f";
  return kind === "folder" ? "_purser_paths -d" : `_purser_ask ${kind}`;
}

function argumentCase({ path, subcommands, argument }: CommandNode): string[] {
  if (subcommands.length > 0)
    return [
      `      ${quoted(path)}) _purser_words ${quoted(subcommands.map(({ name }) => name).join(" "))} ;;`,
    ];
  return argument === null ? [] : [`      ${quoted(path)}) ${ofKind(argument)} ;;`];
}

/** Names of commands and options have nothing that a shell could expand; the quotes keep their spaces. */
function quoted(text: string): string {
  return `"${text}"`;
}
