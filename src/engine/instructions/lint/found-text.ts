import type { Sentence } from "../../base/language.ts";
/** Kinds of text in instruction files that change by themselves, or need not be in every context. */
export const lintKinds = [
  "date",
  "counter",
  "git-state",
  "machine-path",
  "inlined-file",
  "growing-list",
  "repeated",
  "long-prompt",
] as const;
export type LintKind = (typeof lintKinds)[number];

/** A part of a file's text. Lines and columns from 0; columns in UTF-16 units. */
export interface TextSpan {
  readonly line: number;
  readonly column: number;
  /** Exclusive. */
  readonly endLine: number;
  readonly endColumn: number;
}

/** A change that repairs a finding. */
export interface LintFix {
  /** In title case, as the name of an action. */
  readonly title: Sentence;
  readonly span: TextSpan;
  readonly text: string;
  /** A file that is made first, which must not exist yet; its path from the folder of the instructions, with `/`. */
  readonly file?: { readonly path: string; readonly text: string };
}

export interface LintFinding {
  readonly kind: LintKind;
  readonly span: TextSpan;
  /** The finding as a sentence. Contains text of the file: clean it before it is shown. */
  readonly message: Sentence;
  /** The remedy as a sentence. */
  readonly remedy: Sentence;
  /** The text that enters each context: its own, or for an import the imported file. */
  readonly text: string;
  readonly fix: LintFix | null;
  /** The prompt in a recurring agent's head that has it; undefined for a text that is not in one. */
  readonly prompt?: "wake" | "bootstrap";
}

/** Returns the span of whole lines, with the line ending of the last one. @param end the line after the last */
export function wholeLines(start: number, end: number): TextSpan {
  return { line: start, column: 0, endLine: end, endColumn: 0 };
}

/** Returns the span of a part of one line. */
export function partOfLine(line: number, column: number, length: number): TextSpan {
  return { line, column, endLine: line, endColumn: column + length };
}
