import { plainArgument, programName, type Argument } from "../invocation.ts";

/** A program and its words, under the names that rules know. */
export interface PlainCommand {
  readonly program: string;
  readonly args: readonly Argument[];
}

/** Commands that hub adds to those of git. */
const ownWordsOfHub = new Set(
  "alias api browse ci-status compare create delete fork gist issue pr pull-request release sync version".split(
    " ",
  ),
);
/** Programs of GNU under the names that macOS gives them. */
const gnuName =
  /^g(rm|mv|cp|ln|find|xargs|shred|truncate|dd|chmod|chown|chgrp|rmdir|unlink|cat|head|tail|base64|tee|tar|install|env|split|sort)$/u;
/** Programs that do what another one does, with the same words. */
const sameAs: Readonly<Record<string, string>> = {
  "sudo-rs": "sudo",
  gsudo: "sudo",
  httpie: "http",
  iwr: "invoke-webrequest",
  irm: "invoke-restmethod",
  coreutils: "busybox",
};

/**
 * Returns a command as rules know it: git's own programs as git with a word, other names of a program as the usual one. Git runs `git-NAME`
 * for `git NAME`, so both are the same whatever the name is.
 */
export function plainCommand(program: string, args: readonly Argument[]): PlainCommand {
  const word = /^git-([a-z][\w-]*)$/u.exec(program)?.[1];
  if (word !== undefined) return { program: "git", args: [plainArgument(word), ...args] };
  if (program === "hub") {
    const own = args.find(({ text }) => !text.startsWith("-"))?.text ?? "";
    return { program: ownWordsOfHub.has(own) ? program : "git", args };
  }
  if (program === "iex" && isPowerShell(args)) return { program: "invoke-expression", args };
  // zsh runs the program behind an equals sign wherever it is.
  if (/^=[a-z]/u.test(program)) return plainCommand(program.slice(1), args);
  if (program === "zargs") return ofZargs(args);
  const gnu = gnuName.exec(program)?.[1];
  const same = Object.hasOwn(sameAs, program) ? sameAs[program] : undefined;
  return { program: gnu ?? same ?? program, args };
}

/** `zargs -- WORDS -- COMMAND` gives the words to the command. */
function ofZargs(args: readonly Argument[]): PlainCommand {
  const first = args.findIndex(({ text }) => text === "--");
  const second = first === -1 ? -1 : args.findIndex(({ text }, at) => at > first && text === "--");
  const [name, ...given] = second === -1 ? [] : args.slice(second + 1);
  if (name === undefined) return { program: "zargs", args };
  return plainCommand(programName(name.text), [...given, ...args.slice(first + 1, second)]);
}

/** Tells PowerShell's command that runs a text from Elixir's shell of that name. */
function isPowerShell([first]: readonly Argument[]): boolean {
  return first === undefined || first.from.length > 0 || /\s/u.test(first.text);
}
