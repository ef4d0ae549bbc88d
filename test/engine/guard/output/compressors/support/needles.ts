import { isDeepStrictEqual } from "node:util";
import type { Compressed } from "../../../../../../src/engine/guard/output/compressors/compress.ts";
import { narrowed, restoredLines, statesOf } from "./lines.ts";
import { restoredJson } from "./restored.ts";

/** A line that matters, planted in an output. */
export interface Needle {
  readonly kind: string;
  /** The output with the needle. */
  readonly text: string;
  /** The part that must survive. */
  readonly mark: string;
  /** The whole line that must survive; null where only its part is told from others. */
  readonly line: string | null;
}

const foreign = [
  "Fehler: Zugriff auf den Liegeplatz verweigert",
  "エラー: 在庫が不足しています",
  "错误：泊位已被占用",
  "Erreur : le quai est fermé",
  "ошибка: причал занят",
  "오류: 선석이 없습니다",
  "Se agotó el espacio del muelle",
  "Der Kran antwortet nicht mehr",
  "潮位が低すぎます",
];
const statuses = [
  "CrashLoopBackOff",
  "DEGRADED",
  "Evicted",
  "disconnected",
  "will be destroyed",
  "stale",
  "0/1",
  "unreachable",
  "rolled back",
  "NOT OK",
];
const remarks = [
  "note: the berth was given up",
  "quota reached at 97 of 100 cranes",
  "retrying with the old tide table",
  "token expires in 3 minutes",
  "disk full on /var/lib/harbor",
  "killed by signal 9",
  "skipped 41 of 40 ships",
];

type Change = (line: string, id: number, random: () => number) => string | null;

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** The changes of a row, or the lines planted beside one. */
const kinds: Readonly<Record<string, { readonly change: Change; readonly isAdded: boolean }>> = {
  "a line in another language": {
    change: (_, id, random) => `${pick(foreign, random) ?? ""} (${id})`,
    isAdded: true,
  },
  "a remark": { change: (_, id, random) => `${pick(remarks, random) ?? ""} [${id}]`, isAdded: true },
  "a rare status in a row": {
    change: (line, id, random) => {
      const words = [...line.matchAll(/(?<=\s)[A-Za-z][a-z]{2,}(?=\s|$)/gu)];
      const word = pick(words, random);
      if (word === undefined) return null;
      return `${line.slice(0, word.index)}${pick(statuses, random) ?? ""}-${id}${line.slice(word.index + word[0].length)}`;
    },
    isAdded: false,
  },
  "a far number in a row": {
    change: (line, id, random) => {
      const numbers = [...line.matchAll(/(?<![\w.])\d{1,4}(?![\w.])/gu)];
      const number = pick(numbers, random);
      if (number === undefined) return null;
      return `${line.slice(0, number.index)}${98_000_000 + id}${line.slice(number.index + number[0].length)}`;
    },
    isAdded: false,
  },
  "a further column": {
    change: (line, id) => (line.trim() === "" ? null : `${line} (drifted ${id})`),
    isAdded: false,
  },
  "a missing value": {
    change: (line, _, random) => replaced(line, /(?<=\s)\S+(?=\s)/gu, random, () => "-"),
    isAdded: false,
  },
  "a number of another magnitude": {
    change: (line, _, random) => replaced(line, wholeNumbers, random, (number) => `${number}0000`),
    isAdded: false,
  },
  "a number twice": {
    change: (line, _, random) => replaced(line, wholeNumbers, random, (number) => `${number} ${number}`),
    isAdded: false,
  },
  "a negative number": {
    change: (line, _, random) =>
      replaced(line, /(?<![\w.-])\d{1,6}(?![\w.-])/gu, random, (number) => `-${number}`),
    isAdded: false,
  },
  "another unit": {
    change: (line, _, random) =>
      replaced(line, /(?<=\d ?)(?:[km]?s|[KMG]i?B?|%|kB|MiB|GiB)(?![\w])/gu, random, () => "PiB"),
    isAdded: false,
  },
  "an old date": {
    change: (line, _, random) => replaced(line, /\b20[12]\d\b/gu, random, () => "1999"),
    isAdded: false,
  },
  "a changed sign": {
    change: (line, _, random) =>
      replaced(line, /[✓✔✅]|\[x\]|\bok\b|\bOK\b|\bPASS(?:ED)?\b/gu, random, () => "-"),
    isAdded: false,
  },
};

const wholeNumbers = /(?<![\w.-])\d{1,5}(?![\w.-])/gu;

/** Replaces one of a pattern's places; null if there is none. */
function replaced(
  line: string,
  pattern: RegExp,
  random: () => number,
  change: (found: string) => string,
): string | null {
  const found = pick([...line.matchAll(pattern)], random);
  if (found === undefined) return null;
  return line.slice(0, found.index) + change(found[0]) + line.slice(found.index + found[0].length);
}

/** Plants one needle at a random place; null where the drawn line offers none. Lines of JSON stay valid JSON. */
export function plantNeedle(text: string, random: () => number): Needle | null {
  const id = 10_000 + Math.floor(random() * 80_000);
  if (/^\s*[[{]/u.test(text)) return inJson(text, id, random);
  const lines = text.split("\n");
  const at = Math.floor(random() * lines.length);
  const line = lines[at] ?? "";
  const name = pick(Object.keys(kinds), random) ?? "";
  const kind = kinds[name];
  // A part that a progress bar overwrites is nothing that stays.
  if (kind === undefined || (!kind.isAdded && /[\r\b\u001B]/u.test(line))) return null;
  const made = kind.change(line, id, random);
  if (made === null || made === line) return null;
  lines.splice(at, kind.isAdded ? 0 : 1, made);
  const mark = markIn(made, id);
  return { kind: name, text: lines.join("\n"), mark, line: mark === "" ? made : null };
}

function inJson(text: string, id: number, random: () => number): Needle | null {
  const values = [...text.matchAll(/(?<=: ?)(?:\d+|true|false|"\w[^"\\\n]*")(?=[,\s}\]])/gu)];
  const value = pick(values, random);
  if (value === undefined) return null;
  const made = /^\d/u.test(value[0]) ? `${98_000_000 + id}` : `"${pick(statuses, random) ?? ""}-${id}"`;
  return {
    kind: "a value in JSON",
    text: `${text.slice(0, value.index)}${made}${text.slice(value.index + value[0].length)}`,
    mark: made,
    line: null,
  };
}

/** The planted number; empty where there is none. */
function markIn(line: string, id: number): string {
  const far = String(98_000_000 + id);
  return line.includes(far) ? far : line.includes(String(id)) ? String(id) : "";
}

/** Whether a smaller text still has the needle; JSON must have all its data. */
export function survives({ text, mark, line }: Needle, made: Compressed): boolean {
  if (made.compressor === "json") return isDeepStrictEqual(restoredJson(made.text), dataOf(text));
  const lines = restoredLines(made.text);
  if (line === null) return lines.some((each) => each.includes(mark));
  const [plain = ""] = statesOf(line);
  // Also narrow, an empty place must be seen: no other line may look the same.
  return lines.includes(plain) || lines.some((each) => narrowed(each) === narrowed(plain));
}

/** The data of one JSON value, or of one on each line. */
export function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line): unknown => JSON.parse(line));
  }
}
