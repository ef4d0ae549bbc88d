import { wholeNumber } from "../../base/text/format.ts";

/** The facts that the line below a smaller output tells. */
interface KeptFacts {
  /** The command that prints the original, or its file. */
  readonly place: string;
  readonly leftOutBytes: number;
  readonly lines: number;
}

/**
 * The line below an output that was made smaller: where the original is. Has the form of the other notices, so that a text with it is
 * not made smaller again.
 */
export function keptNotice({ place, leftOutBytes, lines }: KeptFacts): string {
  const all = lines === 1 ? "The whole line" : `All ${wholeNumber(lines)} lines`;
  return `[… ${wholeNumber(Math.max(1, leftOutBytes))} bytes left out …] ${all}, kept for a week: ${place}`;
}

/** The lines of a text; the end of the last one begins no other. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
