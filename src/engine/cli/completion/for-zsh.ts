import type { CommandNode, Kind, OfferedOption } from "./completion-tree.ts";

/** Also works as a file `_purser` in a folder of `fpath`. */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef purser
# Completes purser in zsh. Load it after compinit with: source <(purser completion zsh)
_purser() {
  local at="" prev=$words[CURRENT-1] value=""
  local -i i=2
  local -a offered
  while ((i < CURRENT)); do
    case "\${at:+$at }$words[i]" in
${nodes.flatMap(({ path }) => (path === "" ? [] : [`      ${quoted(path)}) at=${quoted(path)} ;;`])).join("\n")}
      *) break ;;
    esac
    i+=1
  done
  if [[ $words[CURRENT] == --*=* ]]; then
    prev=\${words[CURRENT]%%=*}
    compset -P "*="
    value=1
  fi
  case "$at $prev" in
${nodes.flatMap(valueCases).join("\n")}
  esac
  [[ -n $value ]] && return 1
  if [[ $words[CURRENT] == -* ]]; then
    case "$at" in
${nodes.map(optionCase).join("\n")}
    esac
    _describe -o option offered
  elif ((i == CURRENT)); then
    case "$at" in
${nodes.flatMap(argumentCase).join("\n")}
    esac
  fi
}
_purser_ask() {
  local -a offered
  offered=(\${(f)"$("$words[1]" completion $1 2>/dev/null)"})
  offered=(\${offered//:/\\\\:})
  offered=(\${offered/$'\\t'/:})
  _describe value offered
}
if [[ $funcstack[1] == _purser ]]; then _purser "$@"; else compdef _purser purser; fi
`;
}

function valueCases({ path, options }: CommandNode): string[] {
  return options.flatMap((option) => {
    if (!option.takesValue) return [];
    return [`    ${quoted(`${path} --${option.name}`)}) ${offer(option)}return ;;`];
  });
}

function offer({ choices, kind }: Pick<OfferedOption, "choices" | "kind">): string {
  if (choices.length > 0) return `offered=(${choices.map(quoted).join(" ")}); _describe value offered; `;
  return kind === null ? "" : `${ofKind(kind)}; `;
}

function ofKind(kind: Exclude<Kind, null>): string {
  if (kind === "file") return "_files";
  return kind === "folder" ? "_files -/" : `_purser_ask ${kind}`;
}

function optionCase({ path, options }: CommandNode): string {
  return `      ${quoted(path)}) offered=(${options.map(({ name, description }) => entry(`--${name}`, description)).join(" ")}) ;;`;
}

function argumentCase({ path, subcommands, argument }: CommandNode): string[] {
  const list = subcommands.map(({ name, description }) => entry(name, description)).join(" ");
  if (list !== "") return [`      ${quoted(path)}) offered=(${list}); _describe command offered ;;`];
  return argument === null ? [] : [`      ${quoted(path)}) ${ofKind(argument)} ;;`];
}

function entry(name: string, description: string): string {
  return quoted(description === "" ? name : `${name}:${description.replaceAll(":", "\\:")}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
