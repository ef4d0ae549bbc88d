import type { Marks } from "./marks.ts";

/** The words of each program that a command runs, the program without its folder. */
export type CommandNames = readonly (readonly string[])[];

/** A tool's output as compressors read it. */
export interface OutputText {
  /** The text without control sequences; only the start and end of a long one. */
  readonly ends: string;
  readonly lines: readonly string[];
}

/** Recognizes the output of one kind of tool and the lines that no agent needs. */
export interface Compressor {
  /** Whether a program writes this format. */
  readonly runs: (words: readonly string[]) => boolean;
  /**
   * Marks the lines to leave out; none if the text has another format.
   * @param isExpected whether the command implies the format, so that less evidence is enough
   */
  readonly mark: (text: OutputText, marks: Marks, isExpected: boolean) => void;
}

/** Whether a command begins with one of the given words, such as `npm install`. */
export function beginsWith(words: readonly string[], ...starts: readonly string[]): boolean {
  return starts.some((start) => start.split(" ").every((word, index) => words[index] === word));
}

export function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32 || line.charCodeAt(indent) === 9) indent += 1;
  return indent;
}
