import { sha256Hex } from "../../base/hash.ts";
import { cleanLines, cleanText } from "../../base/text.ts";
import { scrub } from "../../base/scrub.ts";

export interface Failure {
  /** The same for errors that differ in numbers, times, addresses and folders only. */
  readonly signature: string;
  /** The line that describes the failure best: cleaned, without secrets. */
  readonly text: string;
  /** Files that the output names, as it names them: of a stack, a compiler's line, a failing test. The first few. */
  readonly files: readonly string[];
}

/**
 * Maximum characters of an output that are searched, half at each end: tools name the error at the end, many
 * at the start.
 */
const looked = 6000;
/** Longer lines are code or data. Characters. */
const maxLineLength = 400;
/** Maximum characters of the reported line. */
const maxTextLength = 200;

/** Patterns of lines that name an error, the clearest kinds first. */
const tellers: readonly RegExp[] = [
  /^\s*(?:\w+\.)*\w*(?:Error|Exception)\b(?:\s*\[[^\]]{1,60}\])?\s*:\s*\S/u,
  /\berror(?:\[E?\d+\]|\s+(?:TS|CS|C|E|LNK|AL)\d+)?\s*:\s*\S/iu,
  /^\s*(?:fatal|panic|E)(?:\s*:)?\s+\S|^\s*(?:FAIL|FAILED|not ok|✖|×|✗|--- FAIL:?)\s+\S/u,
  /\b(?:command not found|No such file or directory|Permission denied|permission denied|Cannot find|cannot find|could not (?:find|resolve|read|open)|not found|does not exist|refused|timed out|undefined|unexpected|expected)\b/u,
  /\b(?:fail(?:ed|ure)?|error|invalid|denied|unknown|missing)\b/iu,
];

/** Lines around an error that do not describe it. */
const around =
  /^\s*(?:Exit code:? -?\d+|\d+ (?:passing|failing|passed|failed)|npm (?:ERR!|error) (?:A complete log|code|errno|path|command)|at\s|Traceback|[\^~-][\^~\s-]*$|# (?:tests|pass|fail|suites|cancelled|skipped|todo|duration_ms)\b)|^\s+$/u;

/**
 * Finds the line of a failed call's output that names the error. Null for an output without words.
 * @param subject the program or tool
 */
export function failureIn(output: string, subject: string): Failure | null {
  // Before it is split: a secret may have several lines.
  const ends = scrub(cleanLines(endsOf(output)));
  const lines = ends
    .split("\n")
    .map((line) => cleanText(line))
    .filter((line) => line !== "" && line.length <= maxLineLength && /\p{L}{2}/u.test(line));
  const telling = lines.filter((line) => !around.test(line));
  const best =
    tellers.map((pattern) => telling.find((line) => pattern.test(line))).find((line) => line !== undefined) ??
    telling.at(-1) ??
    lines.at(-1);
  if (best === undefined) return null;
  const text = best.slice(0, maxTextLength).trim();
  return { signature: signatureOf(best, subject), text, files: filesIn(ends) };
}

/** Words that are cut in two are left out: each may be half a secret. */
function endsOf(output: string): string {
  if (output.length <= looked) return output;
  const start = output.slice(0, looked / 2).replace(/(?<=\s)\S{1,400}$/u, "");
  return `${start}\n${output.slice(-looked / 2).replace(/^\S{1,400}(?=\s)/u, "")}`;
}

const maxFiles = 8;

function filesIn(output: string): string[] {
  const found = output.matchAll(
    /(?<![\w@./\\-])(?:[A-Za-z]:)?[\w@.-]*(?:[\\/][\w@.-]{1,100}){1,12}\.[A-Za-z]{1,6}(?![\w/\\])/gu,
  );
  const names = new Set<string>();
  for (const [name] of found) {
    if (!name.includes("node_modules")) names.add(name.replaceAll("\\", "/").replace(/^\.\//u, ""));
    if (names.size === maxFiles) break;
  }
  return [...names];
}

/** Returns the same for errors of one program that differ in what changes from run to run. */
export function signatureOf(line: string, subject: string): string {
  const plain = line
    .replaceAll(/(?:[A-Za-z]:)?(?:[\\/][\w.@+-]+){3,}/gu, (path) => /[\\/][^\\/]+$/u.exec(path)?.[0] ?? path)
    .replaceAll(/0x[\da-f]+|\b[\da-f]{7,64}\b/giu, "#")
    // A number that belongs to a name stays: `part4` is another thing than `part7`.
    .replaceAll(/(?<![\p{L}_\d])\d+(?:\.\d+)*(?![\p{L}_\d])/gu, "0")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();
  return sha256Hex(JSON.stringify([subject, plain]), 16);
}
