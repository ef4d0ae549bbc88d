import { unknownPart } from "../invocation.ts";
import { doubleQuoted } from "./double-quoted.ts";

/** A language of command lines that is read by its words alone. */
export type LooseLanguage = "shell" | "powershell" | "cmd";

const escapes: Readonly<Record<LooseLanguage, string>> = { shell: "\\", powershell: "`", cmd: "^" };

/** Receives each token of a command line in its order. */
export interface TokenVisitor {
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
