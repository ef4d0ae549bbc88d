import { unknownPart } from "../invocation.ts";
import { doubleQuoted } from "./double-quoted.ts";

/** A language of command lines that is read by its words alone. */
export type LooseLanguage = "shell" | "powershell" | "cmd";

const escapes: Readonly<Record<LooseLanguage, string>> = { shell: "\\", powershell: "`", cmd: "^" };

/** Receives each token of a command line in its order. */
interface TokenVisitor {
  readonly word: (text: string) => void;
  /** Returns what text in double quotes stands for. @param scripts commands of its substitutions */
  readonly quoted: (text: string, scripts: readonly string[]) => string;
  /** A separator of commands, or a redirection. */
  readonly operator: (text: string) => void;
}

const special = /[\s;|&(){}<>"'#\\`^]/gu;

/** Tells the words and operators of a command line in their order. Returns a quote that is left open, at which it stops; else null. */
export function readTokens(text: string, language: LooseLanguage, visitor: TokenVisitor): string | null {
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
    } else if (language === "powershell" && isHereString(text, at)) {
      const close = text.indexOf(`\n${char}@`, at + 1);
      const inner = text.slice(at + 1, close === -1 ? text.length : close);
      const whole = doubleQuoted(inner, -1, { language, mark: unknownPart, isHereString: true });
      // A text whose substitution does not end is read as it is.
      const { text: plain, scripts } = char === "'" || whole === null ? { text: inner, scripts: [] } : whole;
      word = (word ?? "@").slice(0, -1) + (char === '"' ? visitor.quoted(plain, scripts) : plain);
      at = close === -1 ? text.length : close + 2;
    } else if (char === '"' && language !== "cmd") {
      const quoted = doubleQuoted(text, at, { language, mark: unknownPart });
      if (quoted === null) return char;
      word = (word ?? "") + visitor.quoted(quoted.text, quoted.scripts);
      at = quoted.end;
    } else if (char === '"' || (char === "'" && language !== "cmd")) {
      const end = text.indexOf(char, at + 1);
      if (end === -1 && language !== "cmd") return char;
      const inner = text.slice(at + 1, end === -1 ? text.length : end);
      word = (word ?? "") + (char === '"' ? visitor.quoted(inner, []) : inner);
      at = end === -1 ? text.length : end;
    } else if (char === "<" && text[at + 1] === "#" && language === "powershell") {
      const end = text.indexOf("#>", at + 2);
      at = end === -1 ? text.length : end + 1;
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
  return null;
}

/** Whether a quote begins a text of PowerShell that ends with a line of its own. */
function isHereString(text: string, at: number): boolean {
  return (
    (text[at] === '"' || text[at] === "'") &&
    text[at - 1] === "@" &&
    /^[ \t]*\r?\n/u.test(text.slice(at + 1, at + 20))
  );
}

/** Characters that are special in another language, or at another place. */
const ordinary = new Set(["'", "#", "\\", "`", "^"]);

/** A script of a language that is read by its words. */
interface LooseScript {
  readonly text: string;
  readonly language: LooseLanguage;
}

const powershells = new Set(["pwsh", "powershell"]);
const powershellOption = /^-(?:c|co.*|enc?|e|ec|encodedcommand)$/iu;
/** Options of Start-Process that take no value. */
const bareOptions = /^-(?:Wait|NoNewWindow|PassThru|UseNewEnvironment|LoadUserProfile)$/iu;

/** Returns the script that a shell of Windows, or Nushell, is given as its words or input; null for another program, or none. */
export function windowsScript(
  program: string,
  texts: readonly string[],
  input: string | null,
): LooseScript | null {
  if (program === "cmd") return ofCmd(texts);
  if (powershells.has(program)) return ofPowerShell(program, texts);
  if (program === "nu") {
    const at = texts.findIndex((text) => text === "-c" || text === "--commands");
    // Its loops over what a command lists are those of PowerShell.
    const text = texts[at + 1] ?? "";
    return at === -1 || !/\beach\b/u.test(text) ? null : { text, language: "powershell" };
  }
  if (program === "invoke-expression") {
    const words = texts.filter((text) => !/^-command$/iu.test(text));
    const text = words.length === 0 ? input : words.join(" ");
    return text === null ? null : { text, language: "powershell" };
  }
  return program === "start-process" ? ofStarted(texts) : null;
}

/** In Git's shell for Windows an option of cmd begins with two slashes. */
function ofCmd(texts: readonly string[]): LooseScript | null {
  const plain = texts.map((text) => text.replace(/^\/\/(?=[A-Za-z](?:$|:))/u, "/"));
  const at = plain.findIndex((text) => /^\/[ck]$/iu.test(text));
  return at === -1 ? null : { text: plain.slice(at + 1).join(" "), language: "cmd" };
}

function ofPowerShell(program: string, texts: readonly string[]): LooseScript | null {
  const at = texts.findIndex((text) => powershellOption.test(text));
  // Without an option powershell takes its words as a command.
  const isCommand = at === -1 && program === "powershell" && !/^-|\.ps1$/iu.test(texts[0] ?? "-");
  if (at === -1 && !isCommand) return null;
  const rest = texts.slice(at + 1).join(" ");
  const isEncoded = /^-e/iu.test(texts[at] ?? "");
  return { text: isEncoded ? Buffer.from(rest, "base64").toString("utf16le") : rest, language: "powershell" };
}

/** Returns the command that Start-Process starts, whose words may be a list with commas. */
function ofStarted(texts: readonly string[]): LooseScript | null {
  const words: string[] = [];
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? "";
    if (/^-a(?:rg\w*)?$/iu.test(text)) {
      words.push(texts[at + 1] ?? "");
      at += 1;
    } else if (!text.startsWith("-")) words.push(text);
    else if (!bareOptions.test(text) && !/^-f\w*$/iu.test(text)) at += 1;
  }
  return words.length < 2 ? null : { text: words.join(" ").replaceAll(",", " "), language: "powershell" };
}
