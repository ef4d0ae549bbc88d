import { unknownPart } from "../invocation.ts";
import { powershells } from "../wrappers.ts";

/** A language that is read only by words. */
export type LooseLanguage = "shell" | "powershell" | "cmd";

const escapes: Readonly<Record<LooseLanguage, string>> = { shell: "\\", powershell: "`", cmd: "^" };

/** Receives each token of a command line in order. */
interface TokenVisitor {
  readonly word: (text: string) => void;
  /** Returns the value of a text in double quotes. @param scripts commands of its substitutions */
  readonly quoted: (text: string, scripts: readonly string[]) => string;
  /** Receives a separator of commands or a redirection. */
  readonly operator: (text: string) => void;
}

const special = /[\s;|&(){}<>"'#\\`^]/gu;

/** Visits the words and operators of a command line in order. Stops at an unclosed quote and returns it; else null. */
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
      // A text with an unclosed substitution stays unchanged.
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

/** Whether a quote begins a here-string of PowerShell. */
function isHereString(text: string, at: number): boolean {
  return (
    (text[at] === '"' || text[at] === "'") &&
    text[at - 1] === "@" &&
    /^[ \t]*\r?\n/u.test(text.slice(at + 1, at + 20))
  );
}

/** Characters that are special only in another language or place. */
const ordinary = new Set(["'", "#", "\\", "`", "^"]);

interface LooseScript {
  readonly text: string;
  readonly language: LooseLanguage;
}

const powershellOption = /^-(?:c|co.*|enc?|e|ec|encodedcommand)$/iu;
/** Options of Start-Process without a value. */
const bareOptions = /^-(?:Wait|NoNewWindow|PassThru|UseNewEnvironment|LoadUserProfile)$/iu;

/** Returns the script of a shell of Windows, or of Nushell, in its words or input; null for none. */
export function windowsScript(
  program: string,
  texts: readonly string[],
  input: string | null,
): LooseScript | null {
  if (program === "cmd") return ofCmd(texts);
  if (powershells.has(program)) return ofPowerShell(program, texts);
  if (program === "nu") {
    const at = texts.findIndex((text) => text === "-c" || text === "--commands");
    // Its loops over listings equal those of PowerShell.
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

/** In Git's shell for Windows, options of cmd begin with two slashes. */
function ofCmd(texts: readonly string[]): LooseScript | null {
  const plain = texts.map((text) => text.replace(/^\/\/(?=[A-Za-z](?:$|:))/u, "/"));
  const at = plain.findIndex((text) => /^\/[ck]$/iu.test(text));
  return at === -1 ? null : { text: plain.slice(at + 1).join(" "), language: "cmd" };
}

function ofPowerShell(program: string, texts: readonly string[]): LooseScript | null {
  const at = texts.findIndex((text) => powershellOption.test(text));
  // Without an option, powershell takes its words as a command.
  const isCommand = at === -1 && program === "powershell" && !/^-|\.ps1$/iu.test(texts[0] ?? "-");
  if (at === -1 && !isCommand) return null;
  const rest = texts.slice(at + 1).join(" ");
  const isEncoded = /^-e/iu.test(texts[at] ?? "");
  return { text: isEncoded ? Buffer.from(rest, "base64").toString("utf16le") : rest, language: "powershell" };
}

/** Returns the command that Start-Process starts. A list of words has commas. */
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

/** Languages that run `$(…)` in double quotes. */
type QuotingLanguage = "shell" | "powershell";

/** A text in double quotes. */
interface DoubleQuoted {
  /** The text without its quotes, with marks for substitutions. */
  readonly text: string;
  /** Place of the closing quote. */
  readonly end: number;
  /** The commands of its substitutions. */
  readonly scripts: readonly string[];
}

/** Maximum depth of quotes within substitutions. */
const maxDepth = 30;
const specialInQuotes = /["$\\`]/gu;
const specialInside = /["'()\\`]/gu;

interface Quoting {
  readonly language: QuotingLanguage;
  /** Stands for a substitution's output. */
  readonly mark: string;
  /** The text of a here-string, with plain quotes, which ends with the text. */
  readonly isHereString?: boolean;
  readonly depth?: number;
}

/**
 * Reads a text in double quotes; null without a closing quote.
 * @param at the place of its opening quote
 */
function doubleQuoted(
  text: string,
  at: number,
  { language, mark, isHereString = false, depth = 0 }: Quoting,
): DoubleQuoted | null {
  if (depth > maxDepth) return null;
  const scripts: string[] = [];
  let plain = "";
  for (let place = at + 1; place < text.length; place += 1) {
    specialInQuotes.lastIndex = place;
    const next = specialInQuotes.test(text) ? specialInQuotes.lastIndex - 1 : text.length;
    plain += text.slice(place, next);
    place = next;
    const char = text[place];
    if (char === undefined) break;
    if (char === escapes[language]) {
      place += 1;
      plain += text[place] ?? "";
    } else if (char === '"' && !isHereString) {
      if (language !== "powershell" || text[place + 1] !== '"') return { text: plain, end: place, scripts };
      place += 1;
      plain += '"';
    } else if (char === "$" && text[place + 1] === "(") {
      const end = closingBracket(text, place + 1, language, depth + 1);
      if (end === null) return null;
      scripts.push(text.slice(place + 2, end));
      plain += mark;
      place = end;
    } else plain += char;
  }
  return isHereString ? { text: plain, end: text.length, scripts } : null;
}

/** Returns the place of the closing bracket; null for none. */
function closingBracket(text: string, at: number, language: QuotingLanguage, depth: number): number | null {
  let open = 0;
  for (let place = at; place < text.length; place += 1) {
    specialInside.lastIndex = place;
    if (!specialInside.test(text)) return null;
    place = specialInside.lastIndex - 1;
    const char = text[place];
    if (char === escapes[language]) place += 1;
    else if (char === '"') {
      const inner = doubleQuoted(text, place, { language, mark: "", depth });
      if (inner === null) return null;
      place = inner.end;
    } else if (char === "'") {
      const end = text.indexOf("'", place + 1);
      if (end === -1) return null;
      place = end;
    } else if (char === "(") open += 1;
    else if (char === ")") {
      open -= 1;
      if (open === 0) return place;
    }
  }
  return null;
}
