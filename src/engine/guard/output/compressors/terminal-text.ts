import { isImportant } from "./marks.ts";

const escape = "\u001B";

/** Sequences that move the cursor to the start of the line or erase the line. */
const lineStarts = /\u001B\[(?:[01]?G|2K)/gu;

/** Control sequences: colours and cursor (CSI), titles and links (OSC), two-letter ones, and incomplete ones. */
const sequences =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][0-9A-B]|[@-Z\\^_=>78])?/gu;

export function withoutSequences(text: string): string {
  return text.includes(escape) ? text.replace(sequences, "") : text;
}

/** Returns the text as a terminal finally shows it: a line that was rewritten, such as a progress bar, occurs once. */
export function terminalText(text: string): string {
  const plain = text.includes(escape) ? withoutSequences(text.replace(lineStarts, "\r")) : text;
  if (!plain.includes("\r") && !plain.includes("\b")) return plain;
  return plain.split("\n").map(shownLine).join("\n");
}

/** A progress state: a percentage, a count, dots, or a spinner. */
const progress = /\d ?%|\d\/\d|\.{3} *$|…|^\s*[-|/\\\u2800-\u28FF]\s|\s[-|/\\\u2800-\u28FF]\s*$/u;

/** Returns the last state of the line, after those that report an error or anything else but progress. */
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

/** Returns the longer words of a state, which progress repeats. */
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
