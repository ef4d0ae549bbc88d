import { sentence } from "../../base/language.ts";
import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, isSeq, LineCounter, parseDocument, type YAMLSeq } from "yaml";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { GuardException } from "./config.ts";
import { readConfig, type RuleChecks } from "./read-config.ts";

/** A bundle of its own, loaded when somebody has a `guard.yaml`. */
export { readConfig };

export interface WithException {
  readonly text: string;
  /** Line of the exception. Lines begin with 1. */
  readonly line: number;
}

/** A text that is inserted into a file. */
interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * Inserts an exception into the text of a `guard.yaml`. Every other byte stays, including comments. The result is parsed again
 * and must equal the old settings with the exception. A file with a fault is refused.
 */
export function withException(
  text: string,
  exception: GuardException,
  checks: RuleChecks,
): Result<WithException, "bad_guard_file" | "no_place"> {
  const before = readConfig(text, checks);
  if (!before.ok) return before;
  const insertion = insertionFor(text, exception);
  if (insertion === null)
    return fail("no_place", sentence("it is written in a way that only you can add to"));
  const { at, text: inserted } = insertion;
  const changed = `${text.slice(0, at)}${inserted}${text.slice(at)}`;
  const after = readConfig(changed, checks);
  if (!after.ok)
    return fail("no_place", sentence("the exception would be no good ({fault})", { fault: after.detail }));
  const expected = { ...before.value, exceptions: [...before.value.exceptions, exception] };
  if (!isDeepStrictEqual(after.value, expected))
    return fail("no_place", sentence("it is written in a way that only you can add to"));
  const head = `${text.slice(0, at)}${inserted.slice(0, inserted.indexOf("rule:"))}`;
  return succeed({ text: changed, line: head.split("\n").length });
}

function insertionFor(text: string, exception: GuardException): Insertion | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent", prettyErrors: false });
  const { contents } = document;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  if (!isMap(contents)) return appended(text, exception, { eol, indent: "" });
  if (contents.flow === true) return null;
  const list: unknown = document.get("exceptions", true);
  if (list === undefined) {
    const key: unknown = contents.items[0]?.key;
    const start = isNode(key) ? key.range?.[0] : undefined;
    return appended(text, exception, {
      eol,
      indent: start === undefined ? "" : indentOf(text, lines, start),
    });
  }
  if (!isSeq(list)) return null;
  return list.flow === true ? inBrackets(list, exception) : afterLast(text, lines, { list, exception, eol });
}

/** Adds the member `exceptions` at the end of the file. */
function appended(
  text: string,
  exception: GuardException,
  { eol, indent }: { readonly eol: string; readonly indent: string },
): Insertion {
  const start = text === "" || text.endsWith("\n") ? "" : eol;
  const item = blockItem(exception, { eol, indent: `${indent}  ` });
  return { at: text.length, text: `${start}${indent}exceptions:${eol}${item}` };
}

/** Adds an item to a list in block style. */
function afterLast(
  text: string,
  lines: LineCounter,
  {
    list,
    exception,
    eol,
  }: { readonly list: YAMLSeq; readonly exception: GuardException; readonly eol: string },
): Insertion | null {
  const last: unknown = list.items.at(-1);
  if (!isNode(last) || last.range === null || last.range === undefined) return null;
  const indent = indentOf(text, lines, list.range?.[0] ?? 0);
  const [, end] = last.range;
  // A comment may follow on the item's last line.
  const newline = text[end - 1] === "\n" ? end - 1 : text.indexOf("\n", end);
  const item = blockItem(exception, { eol, indent });
  return newline < 0 ? { at: text.length, text: `${eol}${item}` } : { at: newline + 1, text: item };
}

/** Adds an item to a list in brackets. */
function inBrackets(list: YAMLSeq, exception: GuardException): Insertion | null {
  const members = Object.entries(quoted(exception)).map(([name, value]) => `${name}: ${value}`);
  const item = `{ ${members.join(", ")} }`;
  const last: unknown = list.items.at(-1);
  if (last === undefined)
    return list.range === null || list.range === undefined ? null : { at: list.range[0] + 1, text: item };
  if (!isNode(last) || last.range === null || last.range === undefined) return null;
  return { at: last.range[1], text: `, ${item}` };
}

function blockItem(
  exception: GuardException,
  { eol, indent }: { readonly eol: string; readonly indent: string },
): string {
  return Object.entries(quoted(exception))
    .map(([name, value], index) => `${indent}${index === 0 ? "- " : "  "}${name}: ${value}${eol}`)
    .join("");
}

/** Quotes texts so that YAML reads them unchanged. */
function quoted({ rule, like, folder, until }: GuardException): Readonly<Record<string, string>> {
  return {
    rule,
    ...(like === undefined ? {} : { like: quote(like) }),
    ...(folder === undefined ? {} : { folder: quote(folder) }),
    ...(until === undefined ? {} : { until: quote(until) }),
  };
}

/** Characters that YAML forbids or reads as the end of a line. */
const unwritable = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/gu;

function quote(text: string): string {
  return JSON.stringify(text).replace(
    unwritable,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the white space before a place. A byte order mark has no width. */
function indentOf(text: string, lines: LineCounter, at: number): string {
  const { col } = lines.linePos(at);
  return text
    .slice(at - (col - 1), at)
    .replace("\ufeff", "")
    .replace(/[^ ]/gu, " ");
}
