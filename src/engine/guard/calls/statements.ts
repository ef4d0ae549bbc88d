import type { Effort } from "../effort.ts";

/** Texts longer than this are not read. Characters. */
const maxLength = 20_000;

/**
 * Splits SQL into its statements, with single blanks, without comments, without the content of texts, and without quotes around names.
 * A block of `DO` gives its own statements. Other text gives statements that match no rule.
 */
export function readStatements(text: string, effort: Effort): string[] {
  if (text.length > maxLength) effort.leaveOut();
  if (text.length > maxLength || !/\s/u.test(text.trim())) return [];
  return plainText(text)
    .split(";")
    .map((statement) =>
      statement
        .replaceAll(/\s+/gu, " ")
        .trim()
        .replace(/^begin (?!tran)/iu, ""),
    )
    .filter((statement) => statement !== "");
}

/** Names in quotes. */
const quotedName = /[`"[]([\w .-]{1,100})[`"\]]/uy;
const dollarTag = /\$\w{0,30}\$/uy;
/** A client's own command, which ends with its line. */
const clientLine = /[ \t]*(?:[.\\][A-Za-z?!][^\n]*|go[ \t\r]*)(?=\n|$)/iuy;

/** Removes comments and quoted texts in one pass. */
function plainText(text: string): string {
  /** Marks without an end in the rest of the text. */
  const open = new Set<string>();
  const endOf = (mark: string, begin: number): number => {
    if (open.has(mark)) return -1;
    const end = text.indexOf(mark, begin);
    if (end === -1) open.add(mark);
    return end;
  };
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const line = at === 0 || text[at - 1] === "\n" ? matchAt(clientLine, text, at) : null;
    if (line !== null) {
      plain += `;${line[0]};`;
      at += line[0].length;
      continue;
    }
    const two = text.slice(at, at + 2);
    const tag = two.startsWith("$") ? matchAt(dollarTag, text, at)?.[0] : undefined;
    const name = '`"['.includes(two.slice(0, 1)) ? matchAt(quotedName, text, at) : null;
    const end = two.startsWith("'")
      ? endOfText(text, at, open)
      : tag === undefined
        ? -1
        : endOf(tag, at + tag.length);
    if (two === "--") at = endOr(text.length, endOf("\n", at));
    else if (two === "/*") {
      plain += " ";
      at = endOr(text.length, endOf("*/", at + 2), 2);
    } else if (end !== -1 && tag === undefined) {
      plain += "''";
      at = end;
    } else if (end !== -1 && tag !== undefined) {
      const isRun = /\bdo\s*$/iu.test(text.slice(Math.max(0, at - 10), at));
      plain += isRun ? `;${text.slice(at + tag.length, end)};` : "''";
      at = end + tag.length;
    } else if (name !== null) {
      plain += (name[1] ?? "").replaceAll(" ", "_");
      at += name[0].length;
    } else {
      plain += two.slice(0, 1);
      at += 1;
    }
  }
  return plain;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function endOr(last: number, end: number, length = 0): number {
  return end === -1 ? last : end + length;
}

/** Returns the place after a text in single quotes; -1 if it does not end. */
function endOfText(text: string, begin: number, open: Set<string>): number {
  if (open.has("'")) return -1;
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "'" && text[at + 1] === "'") at += 1;
    else if (text[at] === "'") return at + 1;
  }
  open.add("'");
  return -1;
}
