import type { Effort } from "../effort.ts";
import {
  noEnvironment,
  plainArgument,
  programName,
  unknownPart,
  type Argument,
  type Invocation,
  type Redirection,
  type ShellContext,
} from "./invocation.ts";
import { scriptSources } from "./script-sources.ts";
import { plainPowerShell } from "./scripts/powershell.ts";

/** A language of command lines that is read by its words alone. */
export type LooseLanguage = "shell" | "powershell" | "cmd";

const escapes: Readonly<Record<LooseLanguage, string>> = { shell: "\\", powershell: "`", cmd: "^" };

/** Names under which PowerShell knows its commands. */
const powershellAliases: Readonly<Record<string, string>> = {
  rm: "remove-item",
  del: "remove-item",
  erase: "remove-item",
  ri: "remove-item",
  rd: "remove-item",
  rmdir: "remove-item",
  iwr: "invoke-webrequest",
  curl: "invoke-webrequest",
  wget: "invoke-webrequest",
  irm: "invoke-restmethod",
  iex: "invoke-expression",
  gci: "get-childitem",
  ls: "get-childitem",
  dir: "get-childitem",
  mv: "move-item",
  move: "move-item",
  mi: "move-item",
  cp: "copy-item",
  copy: "copy-item",
  cat: "get-content",
  gc: "get-content",
  type: "get-content",
  sc: "set-content",
  clc: "clear-content",
  kill: "stop-process",
  spps: "stop-process",
  saps: "start-process",
  start: "start-process",
  sp: "set-itemproperty",
  rp: "remove-itemproperty",
};

interface Token {
  readonly text: string;
  /** A separator of commands, or a redirection; null for a word. */
  readonly operator: string | null;
}

/** Of a longer command line its beginning and its end are read. Characters. */
const longest = { begin: 8000, end: 4000 };
/** Of more commands the first and the last are read. */
const mostCommands = { first: 120, last: 120 };

/**
 * Reads a command line by its words, where it cannot be parsed or where no parser knows its language: quotes and separators count,
 * nothing else does. Nothing is read where that would be too much.
 */
export function looseInvocations(
  text: string,
  language: LooseLanguage,
  context: ShellContext,
  {
    isGuess,
    effort,
    via = [],
    from = [],
  }: {
    readonly isGuess: boolean;
    readonly effort: Effort;
    readonly via?: readonly string[];
    readonly from?: readonly string[];
  },
): Invocation[] {
  const whole = withoutMiddle(text);
  const read = language === "powershell" ? plainPowerShell(whole) : whole;
  if (!effort.take(read.length)) return [];
  const found: Invocation[] = [];
  let input: readonly string[] = from;
  // PowerShell gives a command what the brackets behind it print.
  let bracketed: string[] | null = null;
  const add = ({ words, redirections, operator }: LooseCommand): void => {
    const [name, ...rest] = words;
    if (name !== undefined) {
      const program = looseProgram(name, language);
      const args = rest.map((word): Argument => ({ ...plainArgument(word), isPattern: /[*?]/u.test(word) }));
      const shown = redirections.some(({ kind }) => kind !== "read")
        ? "none"
        : operator === "|"
          ? "part"
          : "whole";
      const environment = noEnvironment;
      const place = { folder: context.folder, place: "here", via, shown, environment } as const;
      bracketed?.push(program);
      const sources = [...input];
      const runs = scriptSources(program, args, sources);
      found.push({ program, args, redirections, from: sources, runs, input: null, isGuess, ...place });
      found.push(...innerInvocations(program, rest, context, { isGuess, via, effort }));
      if (language === "powershell" && operator === "(") bracketed = sources;
    }
    if (operator !== "(" && operator !== ")") bracketed = null;
    input =
      operator === "|" && name !== undefined && effort.take(input.length)
        ? [...input, looseProgram(name, language)]
        : [];
  };
  const commands = commandsOf(tokens(read, language, context));
  const { first, last } = mostCommands;
  if (commands.length <= first + last) for (const command of commands) add(command);
  else for (const command of [...commands.slice(0, first), ...commands.slice(-last)]) add(command);
  return found;
}

function withoutMiddle(text: string): string {
  const { begin, end } = longest;
  return text.length <= begin + end ? text : `${text.slice(0, begin)}\n${text.slice(-end)}`;
}

/** The words of one command, and the operator that ends it. */
interface LooseCommand {
  readonly words: readonly string[];
  readonly redirections: readonly Redirection[];
  readonly operator: string | null;
}

function commandsOf(tokens: Iterable<Token>): LooseCommand[] {
  const commands: LooseCommand[] = [];
  let words: string[] = [];
  let redirections: Redirection[] = [];
  let redirection: Redirection["kind"] | null = null;
  const end = (operator: string | null): void => {
    commands.push({ words, redirections, operator });
    [words, redirections, redirection] = [[], [], null];
  };
  for (const { text: word, operator } of tokens) {
    if (operator === null && redirection !== null) {
      redirections.push({ kind: redirection, target: plainArgument(word), isOutput: true });
      redirection = null;
    } else if (operator === null) words.push(word);
    else if (operator === ">" || operator === ">>") redirection = operator === ">" ? "write" : "append";
    else if (operator === "<") redirection = "read";
    else end(operator);
  }
  end(null);
  return commands;
}

/** Shells within shells beyond this number are not read. */
const deepest = 4;

/** Reads what a shell of Windows is given as its command, or starts. */
function innerInvocations(
  program: string,
  words: readonly string[],
  context: ShellContext,
  {
    isGuess,
    via,
    effort,
  }: { readonly isGuess: boolean; readonly via: readonly string[]; readonly effort: Effort },
): Invocation[] {
  if (via.length >= deepest) return [];
  const option =
    program === "cmd"
      ? /^\/[ck]$/iu
      : program === "powershell" || program === "pwsh"
        ? /^-c(?:o.*)?$/iu
        : program === "start-process"
          ? /^-arg.*$/iu
          : null;
  const at = option === null ? -1 : words.findIndex((word) => option.test(word));
  if (at === -1) return [];
  const inner = words.slice(at + 1).join(" ");
  return looseInvocations(inner, program === "cmd" ? "cmd" : "powershell", context, {
    isGuess,
    effort,
    via: [...via, program],
  });
}

function looseProgram(name: string, language: LooseLanguage): string {
  const program = programName(name);
  if (language !== "powershell") return program;
  return Object.hasOwn(powershellAliases, program) ? (powershellAliases[program] ?? program) : program;
}

const separators = new Set([";", "|", "&", "\n", "(", ")", "{", "}"]);

function* tokens(text: string, language: LooseLanguage, context: ShellContext): Generator<Token> {
  const escape = escapes[language];
  let word: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === escape && at + 1 < text.length) {
      at += 1;
      word = (word ?? "") + (text[at] === "\n" ? "" : (text[at] ?? ""));
    } else if (char === '"' || (char === "'" && language !== "cmd")) {
      const end = text.indexOf(char, at + 1);
      const inner = text.slice(at + 1, end === -1 ? text.length : end);
      word = (word ?? "") + (char === '"' ? withVariables(inner, language, context) : inner);
      at = end === -1 ? text.length : end;
    } else if (char === "#" && word === null && language !== "cmd") {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end - 1;
    } else if (/\s/u.test(char) || separators.has(char) || char === ">" || char === "<") {
      if (word !== null) yield { text: withVariables(word, language, context), operator: null };
      word = null;
      if (char === ">" && text[at + 1] === ">") {
        at += 1;
        yield { text: ">>", operator: ">>" };
      } else if (char === ">" || char === "<" || separators.has(char)) yield { text: char, operator: char };
    } else word = (word ?? "") + char;
  }
  if (word !== null) yield { text: withVariables(word, language, context), operator: null };
}

const homes = /^(?:\$env:(?:USERPROFILE|HOME)|\$HOME|\$\{HOME\}|%USERPROFILE%|%HOMEPATH%|~(?=$|[\\/]))/iu;
const systems = /^(?:\$env:(?:SystemRoot|windir)|%SystemRoot%|%windir%)/iu;
const drives = /^(?:\$env:SystemDrive|%SystemDrive%)/iu;
const temporaries = /^(?:\$env:TE?MP|%TE?MP%|\$TMPDIR)/iu;
const constants = /^\$(?:true|false|null)$/iu;
const variables = /\$\{[^}]{0,100}\}|\$[A-Za-z_][\w:]*|%[A-Za-z_]\w*%/gu;

function withVariables(word: string, language: LooseLanguage, { home, temporary }: ShellContext): string {
  const isVariable = word.includes("$") || word.includes("%");
  if (!isVariable) return word.startsWith("~") ? word.replace(homes, () => home) : word;
  const known = word
    .replace(homes, () => home)
    .replace(systems, () => "C:\\Windows")
    .replace(drives, () => "C:")
    .replace(temporaries, () => temporary);
  return language === "cmd" && !known.includes("%")
    ? known
    : known.replaceAll(variables, (name) => (constants.test(name) ? name : unknownPart));
}
