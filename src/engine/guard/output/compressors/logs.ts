import { beginsWith, type Compressor } from "./compressor.ts";
import { kindOf } from "./left-out.ts";

const likeAbove = kindOf("logs", "line like those above", "lines like those above");

/** A line of a log begins with its time or its level. */
const logLine =
  /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ,]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d |\S{1,60} \S{1,30} \S{1,30} \[\d\d\/[A-Z][a-z]{2}\/\d{4}|\[?(?:INFO|DEBUG|TRACE|WARN|ERROR|NOTICE|info|debug|trace|warn|error)\b|\{"(?:time|level|ts|timestamp|msg|severity)"|\[ *\d+\.\d{6}\] )/u;
/** A response that a client or a server is at fault for; times in milliseconds are none. */
const fault = /(?:\s|\bstatus\W{1,3})[45]\d\d(?=$|[\s",}])(?! ?m?s\b)/u;
const looked = 300;
const leastLines = 30;
const leastShare = 0.6;
/** The first lines of each form are kept, and the last of all. */
const keptOfForm = 3;
const keptAtEnd = 5;

/**
 * Of log lines that are equal but for numbers, times and ids, the first three are kept, and each that tells of a fault. So is each line
 * that belongs to another, such as a frame of a stack.
 */
export const logs: Compressor = {
  runs: (words) =>
    beginsWith(
      words,
      "docker logs",
      "podman logs",
      "kubectl logs",
      "docker compose logs",
      "journalctl",
      "dmesg",
    ),
  mark: ({ lines }, marks, isExpected) => {
    const sample = lines.slice(0, looked);
    const share = sample.filter((line) => logLine.test(line)).length / sample.length;
    if (lines.length < leastLines || share < (isExpected ? leastShare / 2 : leastShare)) return;
    const seen = new Map<number, number>();
    lines.forEach((line, index) => {
      if (!logLine.test(line)) return;
      const form = formOf(line);
      const times = (seen.get(form) ?? 0) + 1;
      seen.set(form, times);
      if (times > keptOfForm && index < lines.length - keptAtEnd && !fault.test(line))
        marks.dropQuiet(index, likeAbove);
    });
  },
};

/** Classes of characters: 2 for digits, 1 for letters and what holds the parts of ids and numbers together. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /\d/u.test(character) ? 2 : /[\w.-]/u.test(character) ? 1 : 0;
});

/**
 * A number for the line's words, in which each word with a digit counts as the same, and spaces as one. Two forms share one with a
 * chance of 2^-53.
 */
export function formOf(line: string): number {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  let wordHigh = high;
  let wordLow = low;
  let hasDigit = false;
  let last = 0;
  for (let index = 0; index <= line.length; index += 1) {
    const code = index < line.length ? line.charCodeAt(index) : 0;
    const kind = code < 128 ? (classes[code] ?? 0) : 0;
    if (kind === 2) hasDigit = true;
    if (kind === 0 && hasDigit) {
      high = Math.imul(wordHigh ^ 48, 0x01000193);
      low = Math.imul(wordLow ^ 48, 0x5bd1e995);
      hasDigit = false;
    }
    if (code === 32 && last === 32) continue;
    last = code;
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995) ^ (low >>> 15);
    if (kind === 0) {
      wordHigh = high;
      wordLow = low;
    }
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
