import type { Marks } from "./marks.ts";

/** The words of each program that a command runs, the program without its folder; null where unknown. */
export type CommandNames = readonly (readonly string[])[];

/** One tool's output, as its compressor reads it. */
export interface OutputText {
  /** The text without control sequences; of a long one, its start and its end. */
  readonly ends: string;
  readonly lines: readonly string[];
}

/** Knows the output of one kind of tool, and which of its lines carry nothing that an agent needs. */
export interface Compressor {
  /** Whether a program of the command writes such an output. */
  readonly runs: (words: readonly string[]) => boolean;
  /**
   * Marks the lines to leave out. Marks none where the text is not of this format.
   * @param isExpected true where the command's name promises the format, so that less evidence is enough
   */
  readonly mark: (text: OutputText, marks: Marks, isExpected: boolean) => void;
}

/** Whether the first words of a command are one of the given, such as `npm install`. */
export function beginsWith(words: readonly string[], ...starts: readonly string[]): boolean {
  return starts.some((start) => start.split(" ").every((word, index) => words[index] === word));
}

/** The number of spaces and tabs before a line's text. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32 || line.charCodeAt(indent) === 9) indent += 1;
  return indent;
}
