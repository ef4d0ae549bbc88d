import { cleanText } from "../../base/text/text.ts";
import { wholeNumber } from "../../base/text/format.ts";
import { scrub } from "../../base/text/scrub.ts";
import type { Action, Trajectory } from "./trajectory.ts";

/** Longest digest. Characters. */
export const digestLength = 8000;
/** Share of a long run's digest for its beginning; the rest is for its end, which shows the outcome. */
const headShare = 0.4;

/** Summarizes a run, one action per line, without secrets and without the content of files and tool output. */
export function digestOf({ actions }: Trajectory): string {
  const lines = actions.map(lineOf);
  const whole = lines.join("\n");
  if (whole.length <= digestLength) return whole;
  const note = (left: number) => `… ${wholeNumber(left)} actions left out …`;
  const room = digestLength - note(lines.length).length - 2;
  const head = taken(lines, room * headShare);
  const tail = taken(lines.slice(head.length).reverse(), room - head.join("\n").length).reverse();
  return [...head, note(lines.length - head.length - tail.length), ...tail].join("\n");
}

function lineOf({ line, tool, target, result }: Action): string {
  const came =
    result === null
      ? "no result"
      : `${wholeNumber(result.chars)} characters${result.isError ? ", an error" : ""}`;
  return `${line} ${tool} ${cleanText(scrub(target))} -> ${came}`;
}

function taken(lines: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    if ((used += line.length + 1) > room) break;
    kept.push(line);
  }
  return kept;
}
