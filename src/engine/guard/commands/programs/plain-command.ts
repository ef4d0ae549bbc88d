import type { Effort } from "../../effort.ts";
import { ownValue } from "../../own-value.ts";
import { plainArgument, programName, type Argument } from "../invocation.ts";
import type { Scope } from "../scope.ts";

/** Options of `git remote add` that take the next word. */
const valued = new Set(["-t", "-m"]);

/**
 * Replaces the name of a remote in a push by its address, if the command line has added it, and records added remotes. A
 * project's first remote is where its code belongs.
 */
export function throughRemotes(
  program: string,
  args: readonly Argument[],
  scope: Scope,
): readonly Argument[] {
  if (program !== "git") return args;
  const [first, second] = args;
  if (first?.text === "remote" && second?.text === "add") {
    const [name, address] = args
      .slice(2)
      .filter(({ text }, at) => !text.startsWith("-") && !valued.has(args[at + 1]?.text ?? ""));
    if (name !== undefined && address !== undefined && name.text !== "origin")
      scope.remotes.set(name.text, address);
    return args;
  }
  if (scope.remotes.size === 0 || first?.text !== "push") return args;
  return args.map((arg) => scope.remotes.get(arg.text) ?? arg);
}

/** Maximum lines of a configuration. */
const maxLines = 50;
const line = /^\s{0,20}-{0,2}([\w-]{1,40})(?:\s{0,9}[=:]\s{0,9}|\s{1,9})"?([^"\n]{1,1000})"?/u;

/** Adds curl's options from its input: `data = "@FILE"` is `--data @FILE`. */
export function withConfig(
  program: string,
  args: readonly Argument[],
  input: string | null,
  effort: Effort,
): readonly Argument[] {
  if (program !== "curl" || input === null) return args;
  const isRead = args.some(({ text }, at) => {
    const value =
      text === "-K" || text === "--config" ? args[at + 1]?.text : /^(?:-K|--config=)(.+)$/u.exec(text)?.[1];
    return value === "-" || value?.startsWith("/dev/") === true;
  });
  if (!isRead) return args;
  const lines = input.split("\n");
  if (lines.length > maxLines) effort.leaveOut();
  const read = lines.slice(0, maxLines).flatMap((each) => {
    const [, name, value] = line.exec(each) ?? [];
    return name === undefined || value === undefined
      ? []
      : [`${name.length === 1 ? "-" : "--"}${name}`, value];
  });
  return [...args, ...read.map(plainArgument)];
}

/** A program and its words, under the names in rules. */
interface PlainCommand {
  readonly program: string;
  readonly args: readonly Argument[];
}

/** Commands of hub that git does not have. */
const ownWordsOfHub = new Set(
  "alias api browse ci-status compare create delete fork gist issue pr pull-request release sync version".split(
    " ",
  ),
);
/** GNU programs under their names on macOS. */
const gnuName =
  /^g(rm|mv|cp|ln|find|xargs|shred|truncate|dd|chmod|chown|chgrp|rmdir|unlink|cat|head|tail|base64|tee|tar|install|env|split|sort)$/u;
/** Programs that are equal to another one. */
const sameAs: Readonly<Record<string, string>> = {
  "sudo-rs": "sudo",
  gsudo: "sudo",
  httpie: "http",
  iwr: "invoke-webrequest",
  irm: "invoke-restmethod",
  coreutils: "busybox",
};

/**
 * Returns a command under its usual name. Git runs `git-NAME` for `git NAME`, so both are the same for every name.
 */
export function plainCommand(program: string, args: readonly Argument[]): PlainCommand {
  const word = /^git-([a-z][\w-]*)$/u.exec(program)?.[1];
  if (word !== undefined) return { program: "git", args: [plainArgument(word), ...args] };
  if (program === "hub") {
    const own = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
    return { program: ownWordsOfHub.has(own) ? program : "git", args };
  }
  if (program === "iex" && isPowerShell(args)) return { program: "invoke-expression", args };
  // zsh runs the program after an equals sign.
  if (/^=[a-z]/u.test(program)) return plainCommand(program.slice(1), args);
  if (program === "zargs") return ofZargs(args);
  const gnu = gnuName.exec(program)?.[1];
  const same = ownValue(sameAs, program);
  return { program: gnu ?? same ?? program, args };
}

/** `zargs -- WORDS -- COMMAND` appends the words to the command. */
function ofZargs(args: readonly Argument[]): PlainCommand {
  const first = args.findIndex(({ text }) => text === "--");
  const second = first === -1 ? -1 : args.findIndex(({ text }, at) => at > first && text === "--");
  const [name, ...given] = second === -1 ? [] : args.slice(second + 1);
  if (name === undefined) return { program: "zargs", args };
  return plainCommand(programName(name.text), [...given, ...args.slice(first + 1, second)]);
}

/** Distinguishes PowerShell's command from Elixir's shell with the same name. */
function isPowerShell([first]: readonly Argument[]): boolean {
  return first === undefined || first.from.length > 0 || /\s/u.test(first.text);
}
