import type { Effort } from "../effort.ts";
import { readableText, wordReadingSteps } from "./bounds.ts";
import {
  isCut,
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
import { withLoops } from "./scripts/of-cmd.ts";
import { fewer, listedBy, withItems, type PipedItems } from "./scripts/piped-items.ts";
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

/** Of more commands the first and the last are read. */
const mostCommands = { first: 120, last: 120 };

/**
 * Reads a command line by its words, where it cannot be parsed or where no parser knows its language: quotes and separators count,
 * nothing else does. Of a line that would be too much, its beginning and its end are read.
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
  }: {
    readonly isGuess: boolean;
    readonly effort: Effort;
    readonly via?: readonly string[];
    readonly from?: readonly string[];
    /** Its own shells of Windows are opened here. A caller that opens every wrapper leaves that out. */
    readonly opensShells?: boolean;
  },
): Invocation[] {
  const within = readableText(text, effort.left);
  const plain = language === "powershell" ? plainPowerShell(within, effort) : within;
  const read = readableText(plain, effort.left);
  if (read.length < plain.length || within !== text || isCut(text)) effort.leaveOut();
  if (!effort.take(wordReadingSteps(read))) return [];
  const found: Invocation[] = [];
  let input: readonly string[] = from;
  // PowerShell gives a command what the brackets behind it print.
  let bracketed: string[] | null = null;
  let items: PipedItems | null = null;
  let before: string | null = null;
  let printed: string | null = null;
  const add = ({ words: own, redirections, operator }: LooseCommand): void => {
    const isText =
      language === "powershell" && before !== "&" && own.length === 1 && /\s/u.test(own[0] ?? "");
    // A text alone is what PowerShell prints.
    const words = isText ? ["echo", ...own] : own;
    const [name, ...written] = words;
    if (name !== undefined) {
      const program = looseProgram(name, language);
      const isListing = language === "powershell" && program === "get-childitem";
      if (isListing) items = listedBy(written);
      else if (items !== null && filters.has(program)) items = fewer(items);
      const rest = items !== null && program === "remove-item" ? withItems(written, items) : written;
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
      found.push({ program, args, redirections, from: sources, runs, input: printed, isGuess, ...place });
      printed = operator === "|" && printing.has(program) ? written.join(" ") : null;
      if (opensShells) found.push(...innerInvocations(program, rest, context, { isGuess, via, effort }));
      if (language === "powershell" && operator === "(") bracketed = sources;
    }
    before = operator;
    if (operator !== "(" && operator !== ")") bracketed = null;
    if (operator === ";" || operator === "&" || operator === "\n") items = null;
    input =
      operator === "|" && name !== undefined && effort.take(input.length)
        ? [...input, looseProgram(name, language)]
        : [];
  };
  const commands = commandsOf(read, language, context, effort);
  for (const command of language === "cmd" ? withLoops(commands, effort) : commands) add(command);
  return found;
}

/** Commands that print their words. */
const printing = new Set(["echo", "write-output"]);
/** Commands of PowerShell that leave some of what they are piped. */
const filters = new Set(["where-object", "where", "?", "select-object", "select"]);

/** The words of one command, and the operator that ends it. */
interface LooseCommand {
  readonly words: readonly string[];
  readonly redirections: readonly Redirection[];
  readonly operator: string | null;
}

/** Returns the commands of a line, without the middle where they are too many. */
function commandsOf(
  text: string,
  language: LooseLanguage,
  context: ShellContext,
  effort: Effort,
): LooseCommand[] {
  const { first, last } = mostCommands;
  const commands: LooseCommand[] = [];
  let words: string[] = [];
  let redirections: Redirection[] = [];
  let redirection: Redirection["kind"] | null = null;
  const end = (operator: string | null): void => {
    commands.push({ words, redirections, operator });
    if (commands.length > first + last) effort.leaveOut();
    if (commands.length > first + 2 * last) commands.splice(first, last);
    [words, redirections, redirection] = [[], [], null];
  };
  readTokens(text, language, {
    word: (written) => {
      const word = withVariables(written, language, context);
      if (redirection === null) words.push(word);
      else redirections.push({ kind: redirection, target: plainArgument(word), isOutput: true });
      redirection = null;
    },
    quoted: (inner) => withVariables(inner, language, context),
    operator: (operator) => {
      if (operator === "<") redirection = "read";
      else if (operator === ">" || operator === ">>") redirection = operator === ">" ? "write" : "append";
      else end(operator);
    },
  });
  end(null);
  if (commands.length > first + last) commands.splice(first, commands.length - first - last);
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
  if (via.length >= deepest) {
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

function looseProgram(name: string, language: LooseLanguage): string {
  const program = programName(name);
  // A name with its extension is the program, never PowerShell's own command.
  if (language !== "powershell" || /\.exe$/iu.test(name)) return program;
  return Object.hasOwn(powershellAliases, program) ? (powershellAliases[program] ?? program) : program;
}

/** Receives each token of a command line in its order. */
interface TokenVisitor {
  readonly word: (text: string) => void;
  /** Returns what text in double quotes stands for. */
  readonly quoted: (text: string) => string;
  /** A separator of commands, or a redirection. */
  readonly operator: (text: string) => void;
}

const special = /[\s;|&(){}<>"'#\\`^]/gu;

/** Tells the words and operators of a command line in their order. */
function readTokens(text: string, language: LooseLanguage, visitor: TokenVisitor): void {
  const escape = escapes[language];
  let word: string | null = null;
  const endWord = (): void => {
    if (word !== null) visitor.word(word);
    word = null;
  };
  for (let at = 0; at < text.length; at += 1) {
    special.lastIndex = at;
    const next = special.test(text) ? special.lastIndex - 1 : text.length;
    if (next > at) word = (word ?? "") + text.slice(at, next);
    if (next === text.length) break;
    at = next;
    const char = text[at] ?? "";
    if (char === escape && at + 1 < text.length) {
      at += 1;
      word = (word ?? "") + (text[at] === "\n" ? "" : (text[at] ?? ""));
    } else if (char === '"' || (char === "'" && language !== "cmd")) {
      const end = text.indexOf(char, at + 1);
      const inner = text.slice(at + 1, end === -1 ? text.length : end);
      word = (word ?? "") + (char === '"' ? visitor.quoted(inner) : inner);
      at = end === -1 ? text.length : end;
    } else if (char === "#" && word === null && language !== "cmd") {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end - 1;
    } else if (ordinary.has(char)) word = (word ?? "") + char;
    else {
      endWord();
      if (char === ">" && text[at + 1] === ">") {
        at += 1;
        visitor.operator(">>");
      } else if (/\S|\n/u.test(char)) visitor.operator(char);
    }
  }
  endWord();
}

/** Characters that are special in another language, or at another place. */
const ordinary = new Set(["'", "#", "\\", "`", "^"]);

/** In double quotes of a shell `$env` is a variable of its own, which is empty or not known. */
const homes =
  /^(?:(?:\$env|\uFFFC):(?:USERPROFILE|HOME)|\$\{env:(?:USERPROFILE|HOME)\}|\$HOME|\$\{HOME\}|%USERPROFILE%|%HOMEPATH%|~(?=$|[\\/]))/iu;
/** The file that each start of PowerShell runs. */
const profiles = /^\$PROFILE(?:\.\w{1,40})?$/iu;
const systems = /^(?:\$env:(?:SystemRoot|windir)|%SystemRoot%|%windir%)/iu;
const drives = /^(?:\$env:SystemDrive|%SystemDrive%)/iu;
const temporaries = /^(?:\$env:TE?MP|%TE?MP%|\$TMPDIR)/iu;
const constants = /^\$(?:true|false|null)$/iu;
const variables = /\$\{[^}]{0,100}\}|\$[A-Za-z_][\w:]*|%[A-Za-z_]\w*%/gu;

function withVariables(word: string, language: LooseLanguage, { home, temporary }: ShellContext): string {
  const isVariable = word.includes("$") || word.includes("%") || word.startsWith(unknownPart);
  if (!isVariable) return word.startsWith("~") ? word.replace(homes, () => home) : word;
  const known = word
    .replace(profiles, () => `${home}/Documents/PowerShell/profile.ps1`)
    .replace(homes, () => home)
    .replace(systems, () => "C:\\Windows")
    .replace(drives, () => "C:")
    .replace(temporaries, () => temporary);
  return language === "cmd" && !known.includes("%")
    ? known
    : known.replaceAll(variables, (name) => (constants.test(name) ? name : unknownPart));
}
