import { beginsWith, type CommandNames } from "./compressor.ts";
import type { Rewritten } from "./lossless.ts";
import { kindOf, leftOutNotice } from "./marks.ts";

const names = kindOf("paths", "repeat of a file's name", "repeats of a file's name");
const folders = kindOf("paths", "repeat of a folder's name", "repeats of a folder's name");

const times = kindOf("times", "repeat of a day, hour and minute", "repeats of a day, hour and minute");

/** A line of a list: the part that its neighbours repeat, and the rest. */
type Split = readonly [shared: string, rest: string] | null;

/**
 * Writes once, above consecutive lines, what they begin with: the path of matches or files, or the minute of a log. The
 * rest is unchanged, so that each line can be restored. Returns null if that saves nothing.
 */
export function groupByStart(lines: readonly string[], command: CommandNames | null): Rewritten | null {
  const isSearch = command?.some((words) =>
    beginsWith(words, "rg", "grep", "egrep", "fgrep", "ag", "ack", "git grep"),
  );
  const isList = command?.some((words) =>
    beginsWith(words, "find", "fd", "fdfind", "git ls-files", "rg", "grep"),
  );
  if (
    isSearch === true ||
    (command === null && lines.slice(0, minLines).every((line) => pathOf(line) !== null))
  ) {
    const matched = grouped(lines, matchesIn(lines), names, "");
    if (matched !== null) return matched;
  }
  if (isList === true) return grouped(lines, lines.map(pathAt), folders, "  ");
  const sample = lines.slice(0, sampleSize).filter((line) => minute.test(line)).length;
  if (sample < (Math.min(lines.length, sampleSize) * minLogShare) / 2) return null;
  return grouped(lines, lines.map(timeAt), times, "", { least: minLogShare, entry: second });
}

/** The start of a log line up to its minute, and the rest from its seconds. */
const minute = /^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:)(?=\d\d(?!\d))/u;
const second = /^\d\d(?!\d)/u;
/** Minimum share of lines with a time for a log to be recognized. */
const minLogShare = 0.5;
const sampleSize = 200;

function timeAt(line: string): Split {
  const shared = minute.exec(line)?.[0];
  return shared === undefined ? null : [shared, line.slice(shared.length)];
}

/** Minimum share and number of matches for a list to be recognized. */
const minShare = 0.9;
const minLines = 10;

/** `path:12:text`, and `path-12-text` for lines around it. */
function matchesIn(lines: readonly string[]): readonly Split[] {
  const paths = new Set<string>();
  for (const line of lines) {
    const path = pathOf(line);
    if (path !== null) paths.add(path);
  }
  return lines.map((line) => {
    const path = pathOf(line);
    if (path !== null) return [path, line.slice(path.length + 1)];
    return paths.size > 0 ? aroundMatch(line, paths) : null;
  });
}

/** Returns the path of a match. Lines of logs begin with a time, which is not a path. */
function pathOf(line: string): string | null {
  const path = /^([^:\s][^:]{0,400}):\d+:/u.exec(line)?.[1];
  return path === undefined || !/^(?:[A-Za-z_~]|.*[./\\])/u.test(path) || entry.test(path) ? null : path;
}

/** Maximum dashes tried in a line: a path may contain dashes and digits. */
const maxTries = 20;

function aroundMatch(line: string, paths: ReadonlySet<string>): Split {
  let at = line.indexOf("-");
  for (let tries = 0; at > 0 && tries < maxTries; tries += 1) {
    const path = line.slice(0, at);
    if (paths.has(path) && /^\d{1,9}-/u.test(line.slice(at + 1, at + 12))) return [path, line.slice(at + 1)];
    at = line.indexOf("-", at + 1);
  }
  return null;
}

function pathAt(line: string): Split {
  const at = line.lastIndexOf("/");
  const isPath = at > 0 && at < line.length - 1 && !/^\s|: |\t/u.test(line);
  return isPath ? [line.slice(0, at + 1), line.slice(at + 1)] : null;
}

const entry = /^(?: {2}|\d+[:-])/u;

function grouped(
  lines: readonly string[],
  splits: readonly Split[],
  kind: typeof names,
  margin: string,
  { least, entry: form } = { least: minShare, entry },
): Rewritten | null {
  const count = splits.filter((split) => split !== null).length;
  if (count < minLines || count < lines.length * least) return null;
  // An entry must differ from any other line.
  if (lines.some((line, index) => splits[index] === null && form.test(line))) return null;
  const out: string[] = [];
  let repeats = 0;
  let gain = 0;
  for (let index = 0; index < lines.length;) {
    const shared = splits[index]?.[0];
    let end = index + 1;
    while (shared !== undefined && end < lines.length && splits[end]?.[0] === shared) end += 1;
    const size = end - index;
    const saved = shared === undefined ? 0 : size * (shared.length + 1 - margin.length) - shared.length - 1;
    if (shared === undefined || size < 2 || saved <= 0) {
      for (const line of lines.slice(index, end)) out.push(line);
    } else {
      out.push(shared);
      for (const split of splits.slice(index, end)) out.push(margin + (split?.[1] ?? ""));
      repeats += size - 1;
      gain += saved;
    }
    index = end;
  }
  const notice = leftOutNotice(new Map([[kind, repeats]]));
  return gain > notice.length + 1 ? { lines: [notice, ...out], compressor: kind.compressor } : null;
}
