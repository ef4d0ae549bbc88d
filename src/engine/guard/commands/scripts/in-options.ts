import { ownValue } from "../../own-value.ts";
import type { Argument } from "../invocation.ts";
import { unknownText } from "../invocation.ts";

/** Options with a value that a program passes to a shell, by the program or by it and its first word. */
const options: Readonly<Record<string, readonly string[]>> = {
  "git rebase": ["-x", "--exec"],
  "git difftool": ["-x", "--extcmd"],
  "git grep": ["-O", "--open-files-in-pager"],
  "git filter-branch": [
    "--setup",
    "--env-filter",
    "--tree-filter",
    "--index-filter",
    "--parent-filter",
    "--msg-filter",
    "--commit-filter",
    "--tag-name-filter",
  ],
  tar: ["-I", "--use-compress-program", "--to-command", "-F", "--info-script", "--new-volume-script"],
  bsdtar: ["--use-compress-program"],
  zip: ["-TT", "--unzip-command"],
  rsync: ["-e", "--rsh"],
  man: ["-P", "--pager"],
  make: ["--eval"],
  gmake: ["--eval"],
  entr: ["-s"],
  watchexec: ["--shell-command"],
  split: ["--filter"],
  sort: ["--compress-program"],
  "systemd-inhibit": ["--who"],
  mutt: ["-e"],
};

/** Options with a setting as their value, with patterns of the command in it. */
const settings: Readonly<
  Record<string, { readonly of: readonly string[]; readonly command: readonly RegExp[] }>
> = {
  ssh: { of: ["-o"], command: [/^(?:Proxy|Local|KnownHosts|Remote)Command[= ]\s*(?!none$)(\S.*)$/isu] },
  tar: { of: ["--checkpoint-action"], command: [/^exec=(.+)$/su] },
  gdb: { of: ["-ex", "--ex", "-eval-command"], command: [/^(?:shell|!|make)\s*(\S.*)$/su] },
  lldb: { of: ["-o", "--one-line"], command: [/^(?:platform )?shell\s+(\S.*)$/su] },
  vim: {
    of: ["-c", "--cmd"],
    command: [/(?:^|[:|])\s*(?:sil(?:ent)?!?\s+)?\d*!+(?!!)\s*(\S.*)$/su, /\bsystem\((['"])(.{1,500}?)\1/su],
  },
};
/** Programs with the settings of another. */
const sameAs: Readonly<Record<string, string>> = {
  scp: "ssh",
  sftp: "ssh",
  vi: "vim",
  nvim: "vim",
  view: "vim",
  ex: "vim",
  gvim: "vim",
  bsdtar: "tar",
  gtar: "tar",
};
/** Programs with `+TEXT` as a command. */
const plusTakers = new Set(["vim", "less", "more"]);

/** Settings of git with a command as their value, in lower case. */
const gitRuns =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\..+|diff\.external|(?:diff|difftool|mergetool|browser|man)\..+\.(?:command|cmd|textconv)|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|interactive\.difffilter|gpg\.(?:.+\.)?program|uploadpack\.packobjectshook|trailer\..+\.(?:command|cmd))$/u;

/** Variables with a value that programs pass to a shell. */
const variables =
  /^(?:GIT_(?:SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|RSYNC_RSH|SYSTEMD_PAGER|BROWSER|SUDO_ASKPASS|SSH_ASKPASS)$/u;

/** Tests whether a variable's value is a command. */
export function isCommandVariable(name: string): boolean {
  return variables.test(name);
}

/** Clients of databases, and their command that runs another. */
const clients = new Set(["psql", "mysql", "mariadb", "sqlite3", "pgcli", "mycli", "usql"]);
const clientCommand = /(?:^|[;\n])[ \t]*(?:\\!|\.shell|\.system|system)[ \t]+([^\n]+)/gu;

/** Programs that may pass a word to a shell. Most commands have no such program. */
const concerned = new Set([
  "git",
  "screen",
  "sed",
  "ed",
  ...[options, settings, sameAs].flatMap((table) => Object.keys(table)),
  ...plusTakers,
  ...clients,
]);

/** Returns the texts in a program's words that it passes to a shell. */
export function optionScripts(program: string, args: readonly Argument[], input: string | null): string[] {
  if (!concerned.has(program)) return [];
  const texts = args.map(({ text }) => text);
  if (program === "git") return gitScripts(texts);
  const name = ownValue(sameAs, program) ?? program;
  const found = valuesOf(texts, ownValue(options, name) ?? []);
  const setting = ownValue(settings, name);
  if (setting !== undefined) {
    const values = valuesOf(texts, setting.of);
    found.push(...values.flatMap((value) => commandsIn(value, setting.command)));
  }
  if (plusTakers.has(name))
    found.push(
      ...texts.flatMap((text) =>
        text.startsWith("+") ? commandsIn(text.slice(1), settings["vim"]?.command ?? []) : [],
      ),
    );
  if (name === "make" || name === "gmake") found.push(...makeScripts(texts, input));
  if (clients.has(name))
    found.push(
      ...[...texts, input ?? ""].flatMap((text) =>
        Array.from(text.matchAll(clientCommand), ([, own = ""]) => own),
      ),
    );
  if (name === "screen")
    found.push(
      ...texts
        .slice(texts.indexOf("stuff") + 1)
        .filter((_, at) => at === 0 && texts.includes("stuff"))
        .map((text) => text.replace(/\\n$/u, "")),
    );
  if (name === "sed") found.push(...texts.flatMap(sedScripts));
  if (name === "ed" || name === "vim") found.push(...editorLines(input));
  return found.filter((text) => text.trim() !== "");
}

function gitScripts(texts: readonly string[]): string[] {
  const found: string[] = [];
  let at = 0;
  for (; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (text === "-c") found.push(...gitSetting(texts[at + 1] ?? ""));
    if (["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"].includes(text)) at += 1;
    else if (!text.startsWith("-")) break;
  }
  const word = texts[at] ?? "";
  const rest = texts.slice(at + 1);
  if (word === "config") {
    const [key, value] = rest.filter((text) => !text.startsWith("-") && text !== "set");
    if (key !== undefined && value !== undefined) found.push(...gitSetting(`${key}=${value}`));
  } else found.push(...valuesOf(rest, options[`git ${word}`] ?? []));
  return found;
}

/** Returns what a setting of git runs. */
function gitSetting(text: string): string[] {
  const end = text.indexOf("=");
  const [key, value] = [text.slice(0, end).toLowerCase(), text.slice(end + 1)];
  if (end === -1 || value === "") return [];
  if (key.startsWith("alias.")) return [value.startsWith("!") ? value.slice(1) : `git ${value}`];
  if (key.startsWith("credential.") && key.endsWith("helper"))
    return value.startsWith("!") ? [value.slice(1)] : [];
  return gitRuns.test(key) ? [value.replace(/^!/u, "")] : [];
}

/** Returns the values of options: the next word, or the text after `=` or a letter. */
function valuesOf(texts: readonly string[], names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return texts.flatMap((text, at) => {
    if (names.includes(text)) return texts.slice(at + 1, at + 2);
    const name = names.find((each) =>
      text.startsWith(each.startsWith("--") || each.length > 2 ? `${each}=` : each),
    );
    if (name === undefined) return [];
    const value = text.slice(name.length);
    return [value.replace(/^=/u, "")];
  });
}

function commandsIn(text: string, patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = pattern.exec(text)?.at(-1);
    return found === undefined ? [] : [found];
  });
}

/** Returns the recipes of a makefile in make's input, and the value of SHELL. */
function makeScripts(texts: readonly string[], input: string | null): string[] {
  const shells = texts.flatMap((text) => (text.startsWith("SHELL=") ? [text.slice(6)] : []));
  const rules = valuesOf(texts, ["--eval"]).map((text) => text.replace(/^[^;]*;/u, ""));
  const isGiven = valuesOf(texts, ["-f", "--file", "--makefile"]).some(
    (file) => file === "-" || file.startsWith("/dev/"),
  );
  if (!isGiven || input === null) return [...shells, ...rules];
  const recipes = input.split(/\r?\n/u).flatMap((line) => {
    const recipe = /^(?:\t|[\w.%/ -]+:[^=;]*;)\s*[@+-]*(.*)/su.exec(line)?.[1];
    return recipe === undefined ? [] : [withoutMakeVariables(recipe)];
  });
  return [...shells, ...rules, ...recipes];
}

/** Replaces make's variables, and two dollar signs by one. */
function withoutMakeVariables(recipe: string): string {
  return recipe.replaceAll(/(?<!\$)\$(?:\([^()]*\)|\{[^{}]*\}|[@<^*?])/gu, unknownText).replaceAll("$$", "$");
}

/** Returns the commands of a sed script: `1e COMMAND`, or `s/x/COMMAND/e`. */
function sedScripts(text: string): string[] {
  const alone = /^(?:\d+|\$|\/[^/]*\/)?\s*e\s+(\S.*)$/su.exec(text)?.[1];
  const replaced = /^(?:\d+|\$)?s([/|#,])(?:(?!\1).)*\1((?:(?!\1).)*)\1[gpIm\d]*e[gpIm\d]*$/su.exec(
    text,
  )?.[2];
  return [alone, replaced].filter((found) => found !== undefined);
}

/** Returns the shell commands in a line editor's input. */
function editorLines(input: string | null): string[] {
  return (input ?? "").split("\n").flatMap((line) => {
    const command = /^:?!(.+)$/u.exec(line)?.[1];
    return command === undefined ? [] : [command];
  });
}
