import { isImportant } from "./important-line.ts";

const escape = "\u001B";

/** Moves the cursor to the start of the line, or erases the line: what follows replaces it. */
const lineStarts = /\u001B\[(?:[01]?G|2K)/gu;

/** Control sequences of a terminal: colours and cursor (CSI), titles and links (OSC), the two-letter ones, and what is left of one. */
const sequences =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][0-9A-B]|[@-Z\\^_=>78])?/gu;

/** The text without control sequences; all else is unchanged. */
export function withoutSequences(text: string): string {
  return text.includes(escape) ? text.replace(sequences, "") : text;
}

/** The text as a terminal would show it at its end: a line that was written again and again, such as a progress bar, once. */
export function terminalText(text: string): string {
  const plain = text.includes(escape) ? withoutSequences(text.replace(lineStarts, "\r")) : text;
  if (!plain.includes("\r") && !plain.includes("\b")) return plain;
  return plain.split("\n").map(shownLine).join("\n");
}

/** A state that reports how far something is: by a share, a count, dots, or a turning sign. */
const progress = /\d ?%|\d\/\d|\.{3} *$|…|^\s*[-|/\\\u2800-\u28FF]\s|\s[-|/\\\u2800-\u28FF]\s*$/u;

/** The last state of the line, and before it those that report an error, or anything else but progress. */
function shownLine(line: string): string {
  const written = line.includes("\b") ? withoutBackspaces(line) : line;
  if (!written.includes("\r")) return written;
  const states = written.split("\r").filter((state) => state.trim() !== "");
  const last = states.pop() ?? "";
  const forms = new Map<string, number>();
  for (const state of [...states, last]) forms.set(wordsOf(state), (forms.get(wordsOf(state)) ?? 0) + 1);
  const kept = new Set(
    states.filter(
      (state) => isImportant(state) || (!progress.test(state) && (forms.get(wordsOf(state)) ?? 0) < 2),
    ),
  );
  kept.delete(last);
  return [...kept, last].join("\n");
}

/** The longer words of a state: progress of one kind repeats them. */
function wordsOf(state: string): string {
  return (state.match(/\p{L}{3,}/gu) ?? []).join(" ");
}

function withoutBackspaces(line: string): string {
  const shown: string[] = [];
  for (const character of line)
    if (character !== "\b") shown.push(character);
    else if (shown.at(-1) !== "\r") shown.pop();
  return shown.join("");
}
