import { cutPart } from "./invocation.ts";

/** Minimum length of a text: searching for shorter ones saves nothing. Characters. */
const minLength = 24;

/** Length to which a text is shortened. Characters. */
const maxBodyLength = 1000;

interface TextRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** A text of a command line that runs nothing. */
export interface CertainText extends TextRange {
  /** Plain text stays unchanged; in filled text a shell replaces variables and escapes. */
  readonly kind: "plain" | "filled";
}

/** An open string in double quotes, or an open substitution. */
interface Open {
  readonly kind: "string" | "substitution";
  /** Open brackets of a substitution, including its own. */
  brackets: number;
}

interface HereDocument {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly isIndented: boolean;
}

/**
 * Finds long texts of a command line that run nothing: in quotes and bodies of here-documents. The search ends at the first other
 * construct, so that the rest counts as code.
 */
export function certainTexts(line: string): CertainText[] {
  const found: CertainText[] = [];
  const open: Open[] = [];
  const waiting: HereDocument[] = [];
  /** Start of the current part of the open string. Parts between expansions are plain. */
  let start = 0;
  const add = (from: number, to: number, kind: CertainText["kind"] = "plain") => {
    if (to - from >= minLength) found.push({ from, to, kind });
  };
  for (let at = 0; at < line.length;) {
    quiet.lastIndex = at;
    if (quiet.test(line)) at = quiet.lastIndex;
    const char = line[at];
    if (char === undefined) break;
    const inner = open.at(-1);
    if (char === "\\") at += 2;
    else if (char === "`") return found;
    else if (char === "$") {
      const expansion = expansionAt(line, at);
      if (expansion === null) return found;
      if (inner?.kind === "string") add(start, at);
      at += expansion.length;
      start = at;
      if (expansion === "$(") open.push({ kind: "substitution", brackets: 1 });
    } else if (inner?.kind === "string") {
      if (char === "\n" && waiting.length > 0) return found;
      if (char === '"') {
        add(start, at);
        open.pop();
      }
      at += 1;
    } else if (char === '"') {
      open.push({ kind: "string", brackets: 0 });
      at += 1;
      start = at;
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1);
      if (end === -1 || (waiting.length > 0 && line.slice(at, end).includes("\n"))) return found;
      add(at + 1, end);
      at = end + 1;
    } else if (char === "#" && isWordStart(line, at)) {
      const end = line.indexOf("\n", at);
      if (end === -1) return found;
      at = end;
    } else if (char === "<" && line.startsWith("<<<", at)) at += 3;
    else if (char === "<" && line[at + 1] === "<") {
      const here = hereDocumentAt(line, at);
      if (here === null) return found;
      waiting.push(here);
      at += here.length;
    } else if (char === "\n" && waiting.length > 0) {
      let next = at;
      for (const each of waiting.splice(0)) {
        const body = bodyAt(line, next + 1, each);
        if (body === null) return found;
        const text = line.slice(body.from, body.to);
        if (each.isQuoted || !/[$`\\]/u.test(text)) add(body.from, body.to);
        else if (!/`|\$\(/u.test(text)) add(body.from, body.to, "filled");
        next = body.next;
      }
      at = next;
    } else if (char === "(" || char === ")") {
      if (line.startsWith("((", at) || line[at - 1] === "=" || (inner !== undefined && waiting.length > 0))
        return found;
      if (inner !== undefined) {
        inner.brackets += char === "(" ? 1 : -1;
        if (inner.brackets === 0) {
          open.pop();
          start = at + 1;
        }
      }
      at += 1;
    } else if ((char === "[" || (char === "c" && inner !== undefined)) && startsOther(line, at)) return found;
    else at += 1;
  }
  return found;
}

/** Characters without a special meaning. */
const quiet = /[^\\`$"'#<\n()[c]+/uy;

/** Returns the beginning of a simple expansion; null for any other. */
function expansionAt(line: string, at: number): string | null {
  if (line.startsWith("$((", at)) return null;
  return /^\$(?:\(|\w+|\{\w+\}|[@*#?!$-]|(?=[\s"]|$))/u.exec(line.slice(at, at + 80))?.[0] ?? null;
}

/** Whether `[[` or `case` starts at a place. */
function startsOther(line: string, at: number): boolean {
  return (line.startsWith("[[", at) || line.startsWith("case", at)) && isWordStart(line, at);
}

function isWordStart(line: string, at: number): boolean {
  return at === 0 || /[\s;|&()]/u.test(line[at - 1] ?? "");
}

function hereDocumentAt(line: string, at: number): (HereDocument & { readonly length: number }) | null {
  const read = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\\$`\n]+)"|([\w.-]+))(?=[\s;|&()<>]|$)/u.exec(
    line.slice(at, at + 120),
  );
  if (read === null) return null;
  const [whole, dash, single, double, bare] = read;
  const delimiter = single ?? double ?? bare ?? "";
  return { delimiter, isQuoted: bare === undefined, isIndented: dash === "-", length: whole.length };
}

/** Returns the body of a here-document, and the end of its delimiter's line; null without a delimiter. */
function bodyAt(
  line: string,
  from: number,
  { delimiter, isIndented }: HereDocument,
): (TextRange & { readonly next: number }) | null {
  for (let at = from; at <= line.length;) {
    const end = line.indexOf("\n", at);
    const stop = end === -1 ? line.length : end;
    const text = line.slice(at, stop);
    if ((isIndented ? text.replace(/^\t+/u, "") : text) === delimiter) return { from, to: at, next: stop };
    if (end === -1) return null;
    at = end + 1;
  }
  return null;
}

/** Returns a command line without its plain texts. @param texts its certain texts */
export function withoutPlainTexts(line: string, texts: readonly CertainText[]): string {
  return replaced(line, texts, "plain", () => "");
}

/**
 * Returns a command line with its long texts shortened, each marked as cut; null if there are none.
 * @param texts its certain texts
 */
export function withShortTexts(
  line: string,
  texts: readonly CertainText[],
  which: "filled" | "all",
): string | null {
  const short = replaced(line, texts, which, (text) => {
    if (text.length <= maxBodyLength) return text;
    const end = text.lastIndexOf("\n", maxBodyLength);
    // A here-document's body ends with a line feed.
    return end === -1
      ? text.slice(0, maxBodyLength) + cutPart
      : `${text.slice(0, end + 1)}${cutPart}${text.endsWith("\n") ? "\n" : ""}`;
  });
  return short === line ? null : short;
}

function replaced(
  line: string,
  texts: readonly CertainText[],
  which: CertainText["kind"] | "all",
  change: (text: string) => string,
): string {
  let rest = "";
  let at = 0;
  for (const { from, to } of texts.filter(({ kind }) => which === "all" || kind === which)) {
    rest += line.slice(at, from) + change(line.slice(from, to));
    at = to;
  }
  return rest + line.slice(at);
}
