import type { Effort } from "../effort.ts";
import { ownValue } from "../own-value.ts";
import { readableText, wordReadingSteps } from "./bounds.ts";
import {
  isCut,
  noEnvironment,
  plainArgument,
  programName,
  unknownPart,
  unknownText,
  type Argument,
  type Invocation,
  type Redirection,
  type ShellContext,
} from "./invocation.ts";
import { scriptSources } from "./script-sources.ts";
import { withLoops } from "./scripts/of-cmd.ts";
import { readTokens, type LooseLanguage } from "./scripts/of-windows.ts";
import { fewer, listedBy, withItems, type PipedItems, plainPowerShell } from "./scripts/powershell.ts";

/** PowerShell's aliases of its commands. */
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

/** Maximum first and last commands that are read. */
const maxCommands = { first: 120, last: 120 };

/**
 * Reads a command line by words, if it cannot be parsed or no parser knows its language. Only quotes and separators count. Of an
 * oversized line, the beginning and the end are read.
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
    opensShells = true,
    depth = 0,
  }: {
    readonly isGuess: boolean;
    readonly effort: Effort;
    readonly via?: readonly string[];
    readonly from?: readonly string[];
    /** Whether shells of Windows are opened here. False for a caller that opens every wrapper. */
    readonly opensShells?: boolean;
    /** Number of surrounding substitutions. */
    readonly depth?: number;
  },
): Invocation[] {
  const within = readableText(text, effort.left);
  const plain = language === "powershell" ? plainPowerShell(within, effort) : within;
  const read = readableText(plain, effort.left);
  if (read.length < plain.length || within !== text || isCut(text)) effort.leaveOut();
  if (!effort.take(wordReadingSteps(read))) return [];
  const found: Invocation[] = [];
  let input: readonly string[] = from;
  // PowerShell passes the output of brackets to the command before them.
  let bracketed: string[] | null = null;
  /** Programs in the last brackets. */
  let closed: readonly string[] = [];
  let items: PipedItems | null = null;
  /** Whether the last command lists all processes. */
  let isAll = false;
  let before: string | null = null;
  let printed: string | null = null;
  /** Reads the substitutions in a command's quotes and returns their programs. */
  const substituted = (scripts: readonly string[]): readonly string[] => {
    if (scripts.length === 0) return [];
    if (depth >= maxDepth) {
      effort.leaveOut();
      return [];
    }
    const inner = scripts.flatMap((script) =>
      looseInvocations(script, language, context, { isGuess, effort, via, opensShells, depth: depth + 1 }),
    );
    found.push(...inner);
    return inner.map(({ program }) => program);
  };
  const add = ({ words: own, redirections, operator, scripts, variables: named }: LooseCommand): void => {
    const given = substituted(scripts);
    const isAlone = language === "powershell" && before !== "&" && own.length === 1;
    // PowerShell prints a text or a variable that stands alone.
    const isText = isAlone && ((named.length > 0 && before !== "(") || /\s/u.test(own[0] ?? ""));
    const words = isText ? ["echo", ...own] : own;
    const [name, ...written] = words;
    if (name !== undefined) {
      const program = looseProgram(name, language, written);
      const isListing = language === "powershell" && program === "get-childitem";
      if (isListing) items = listedBy(written);
      else if (items !== null && filters.has(program)) items = fewer(items);
      const isAllProcesses = program === "stop-process" && isAll && before === "|";
      isAll = program === "get-process" && written.length === 0;
      const rest =
        items !== null && program === "remove-item"
          ? withItems(written, items)
          : isAllProcesses
            ? [...written, "-Name", "*"]
            : written;
      const args = rest.map((word): Argument => ({
        text: word,
        isPattern: /[*?]/u.test(word),
        from: word.includes(unknownPart) ? named : [],
      }));
      const shown = redirections.some(({ kind }) => kind !== "read")
        ? "none"
        : operator === "|"
          ? "part"
          : "whole";
      const environment = noEnvironment;
      const place = { folder: context.folder, place: "here", via, shown, environment } as const;
      bracketed?.push(program);
      const sources = [...input, ...given];
      const runs = scriptSources(program, args, { from: sources, text: printed });
      found.push({ program, args, redirections, from: sources, runs, input: printed, isGuess, ...place });
      printed = operator === "|" && printing.has(program) ? written.join(" ") : null;
      if (opensShells) found.push(...innerInvocations(program, rest, context, { isGuess, via, effort }));
      const isBracketed = language === "powershell" || program === "invoke-expression";
      if (isBracketed && operator === "(") bracketed = sources;
      // The output of brackets is a word of a program other than a cmdlet.
      if (language === "powershell" && operator === "(" && !program.includes("-"))
        args.push({ ...plainArgument(unknownText), from: sources });
      if (operator === ")") closed = [program, ...sources];
    }
    const isClosed = name === undefined && before === ")";
    before = operator;
    if (operator !== "(" && operator !== ")") bracketed = null;
    if (operator === ";" || operator === "&" || operator === "\n") items = null;
    input =
      operator === "|" && name !== undefined && effort.take(input.length)
        ? [...input, looseProgram(name, language)]
        : operator === "|" && isClosed
          ? closed
          : [];
  };
  const commands = commandsOf(read, language, context, effort);
  for (const command of language === "cmd" ? withLoops(commands, effort) : commands) add(command);
  return found;
}

/** Commands that print their words. */
const printing = new Set(["echo", "write-output"]);
/** PowerShell's filters. */
const filters = new Set(["where-object", "where", "?", "select-object", "select"]);

/** The words of one command, and the operator that ends it. */
interface LooseCommand {
  readonly words: readonly string[];
  readonly redirections: readonly Redirection[];
  readonly operator: string | null;
  /** The substitutions in its quotes. */
  readonly scripts: readonly string[];
  /** Environment variables in its words, as `$NAME`. */
  readonly variables: readonly string[];
}

/** Returns the commands of a line; without the middle if there are too many. */
function commandsOf(
  text: string,
  language: LooseLanguage,
  context: ShellContext,
  effort: Effort,
): LooseCommand[] {
  const { first, last } = maxCommands;
  const commands: LooseCommand[] = [];
  let words: string[] = [];
  let redirections: Redirection[] = [];
  let redirection: Redirection["kind"] | null = null;
  let scripts: string[] = [];
  let named: string[] = [];
  const end = (operator: string | null): void => {
    commands.push({
      words: language === "shell" ? withoutKeywords(words) : words,
      redirections,
      operator,
      scripts,
      variables: named,
    });
    if (commands.length > first + last) effort.leaveOut();
    if (commands.length > first + 2 * last) commands.splice(first, last);
    [words, redirections, redirection, scripts, named] = [[], [], null, [], []];
  };
  const open = readTokens(text, language, {
    word: (written) => {
      const word = withVariables(written, language, context);
      if (word.includes(unknownPart)) named.push(...environmentIn(written));
      if (redirection === null) words.push(word);
      else redirections.push({ kind: redirection, target: plainArgument(word), isOutput: true });
      redirection = null;
    },
    quoted: (inner, inside) => {
      scripts.push(...inside);
      named.push(...environmentIn(inner));
      return withVariables(inner, language, context);
    },
    operator: (operator) => {
      if (operator === "<") redirection = "read";
      else if (operator === ">" || operator === ">>") redirection = operator === ">" ? "write" : "append";
      else end(operator);
    },
  });
  // After an unclosed quote the rest is read as commands, and the line counts as not judged completely.
  if (open !== null) {
    effort.leaveOut();
    return commandsOf(text.replaceAll(open, ""), language, context, effort);
  }
  end(null);
  if (commands.length > first + last) commands.splice(first, commands.length - first - last);
  return commands;
}

/** A shell's keywords before a command. */
const keywords = new Set(["do", "then", "else", "elif", "if", "while", "until", "!", "time"]);

function withoutKeywords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !keywords.has(word));
  return at === 0 ? words : words.slice(at === -1 ? words.length : at);
}

/** Maximum depth of shells, and of substitutions. */
const maxDepth = 4;

/** Reads the command of a shell of Windows, or of Start-Process. */
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
  if (via.length >= maxDepth) {
    effort.leaveOut();
    return [];
  }
  const inner = words.slice(at + 1).join(" ");
  return looseInvocations(inner, program === "cmd" ? "cmd" : "powershell", context, {
    isGuess,
    effort,
    via: [...via, program],
  });
}

/** Options that PowerShell's aliases do not have. With one, the name is a program's. */
const foreignOptions: Readonly<Record<string, RegExp>> = {
  rm: /^(?:-[rRfv]{2,}|--\w.*)$/u,
  curl: /^-(?:[a-zA-Z]{1,2}|-\w.*)$/u,
  wget: /^-(?:[a-zA-Z]{1,2}|-\w.*)$/u,
  kill: /^-(?:\d+|[A-Z]{3,})$/u,
  rd: /^\/[a-z]$/iu,
  rmdir: /^\/[a-z]$/iu,
  del: /^\/[a-z]$/iu,
  erase: /^\/[a-z]$/iu,
};

function looseProgram(name: string, language: LooseLanguage, words: readonly string[] = []): string {
  const program = programName(name);
  if (language === "shell" && downloaders.has(program)) return powershellAliases[program] ?? program;
  // A name with its extension is a program, never an alias.
  if (language !== "powershell" || /\.exe$/iu.test(name)) return program;
  const foreign = ownValue(foreignOptions, program);
  if (foreign !== undefined && words.some((word) => foreign.test(word))) return program;
  return ownValue(powershellAliases, program) ?? program;
}

/** PowerShell's aliases that a line for another shell may contain. */
const downloaders = new Set(["iwr", "irm", "iex"]);

/** The home folder at the start of a word. In a shell's double quotes, `$env` is an unknown variable. */
const homes =
  /^(?:(?:\$env|\uFFFC):(?:USERPROFILE|HOME)|\$\{env:(?:USERPROFILE|HOME)\}|\$HOME|\$\{HOME\}|%USERPROFILE%|%HOMEPATH%|~(?=$|[\\/]))/iu;
/** The home folder within a text for another command. */
const homesWithin =
  /(?<![\w$`])(?:\$env:(?:USERPROFILE|HOME)\b|\$\{env:(?:USERPROFILE|HOME)\}|\$HOME\b|\$\{HOME\}|%USERPROFILE%)/giu;
/** The startup file of PowerShell. */
const profiles = /^\$PROFILE(?:\.\w{1,40})?$/iu;
const systems = /^(?:\$env:(?:SystemRoot|windir)|%SystemRoot%|%windir%)/iu;
const drives = /^(?:\$env:SystemDrive|%SystemDrive%)/iu;
const temporaries = /^(?:\$env:TE?MP|%TE?MP%|\$TMPDIR)/iu;
const constants = /^\$(?:true|false|null)$/iu;
const variables = /\$\{[^}]{0,100}\}|\$[A-Za-z_][\w:]*|%[A-Za-z_]\w*%/gu;

/** Returns the environment variables in a text of PowerShell. */
function environmentIn(text: string): readonly string[] {
  if (!/\$\{?env:/iu.test(text)) return [];
  return [...text.matchAll(/\$\{?env:(\w{1,60})/giu)].map(([, name = ""]) => `$${name.toUpperCase()}`);
}

function withVariables(word: string, language: LooseLanguage, { home, temporary }: ShellContext): string {
  const isVariable = word.includes("$") || word.includes("%") || word.startsWith(unknownPart);
  if (!isVariable) return word.startsWith("~") ? word.replace(homes, () => home) : word;
  const known = word
    .replace(profiles, () => `${home}/Documents/PowerShell/profile.ps1`)
    .replace(homes, () => home)
    .replaceAll(homesWithin, () => home)
    .replace(systems, () => "C:\\Windows")
    .replace(drives, () => "C:")
    .replace(temporaries, () => temporary);
  return language === "cmd" && !known.includes("%")
    ? known
    : known.replaceAll(variables, (name) => (constants.test(name) ? name : unknownPart));
}
