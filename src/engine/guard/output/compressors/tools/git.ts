import type { Compressor, OutputText } from "../compressor.ts";
import { generatedIn } from "./generated.ts";
import { kindOf, type Kind } from "../left-out.ts";
import type { Marks } from "../marks.ts";

const parts = kindOf("git-log", "line of earlier commits", "lines of earlier commits");
const rows = kindOf("git-stat", "changed file");
const modes = kindOf("git-stat", "created or deleted file");
const refs = kindOf("git-fetch", "branch or tag", "branches and tags");
const transfer = kindOf("git-fetch", "line of progress", "lines of progress");
const untracked = kindOf("git-status", "untracked file");
const changes = kindOf("git-status", "changed file");

/** Of later commits, only the name and the subject are kept. */
const wholeCommits = 20;
const mostRows = 20;
const mostRefs = 10;
const mostUntracked = 20;
const mostChanges = 60;

const commit = /^commit [0-9a-f]{40}/u;
const rowEnd = /^ +(?:\d+|Bin)\b/u;
const mode = /^ (?:create|delete) mode \d{6} |^ (?:rename|copy) .* \(\d+%\)$/u;
const newRef = /^ [*=+t-] \[(?:new branch|new tag|new ref|up to date|tag update|deleted)\] /u;
const progress =
  /^(?:remote: )?(?:Enumerating|Counting|Compressing|Receiving|Resolving|Unpacking|Writing|Updating) (?:objects|deltas|files): +\d+%/u;

/** git's log, status, statistics and transfers. A diff's content is none of them, and is not cut. */
export const git: Compressor = {
  runs: (words) => words[0] === "git",
  mark: ({ ends, lines }, marks, isExpected) => {
    if (ends.includes("\ndiff --git ")) return;
    if (/^commit [0-9a-f]{40}/mu.test(ends)) markLog(lines, marks);
    if (/^ \d+ files? changed/mu.test(ends)) markStat(lines, marks);
    if (ends.includes(" -> ")) markMany(lines, marks, newRef, refs, mostRefs);
    if (/: +\d+%/u.test(ends)) markProgress(lines, marks);
    if (/^On branch |^HEAD detached |^Untracked files:$/mu.test(ends)) markStatus(lines, marks);
    else if (isExpected) markShortStatus(lines, marks);
  },
};

/** A line of a commit's message that has the form of a tool's report is kept. */
const report =
  /[✗✖×✕●]|^ +(?:error|fatal|warning|fail|not ok|E )|(?:error|warning): |\w(?:Error|Exception)\b/iu;
const field = /^(?:Author|AuthorDate|Commit|CommitDate|Date|Merge): /u;

function markLog(lines: OutputText["lines"], marks: Marks): void {
  let commits = 0;
  let isLog = false;
  let hasSubject = false;
  lines.forEach((line, index) => {
    if (commit.test(line)) {
      commits += 1;
      [isLog, hasSubject] = [true, false];
      return;
    }
    const isText = /^ {4}/u.test(line);
    isLog &&= line === "" || isText || field.test(line) || /^ \S/u.test(line);
    if (!isLog || commits <= wholeCommits) return;
    const isSubject = !hasSubject && isText;
    hasSubject ||= isSubject;
    if (isSubject || report.test(line)) return;
    if (isText || field.test(line) || isRow(line)) marks.drop(index, parts);
  });
}

function markProgress(lines: OutputText["lines"], marks: Marks): void {
  lines.forEach((line, index) => {
    if (progress.test(line)) marks.dropQuiet(index, transfer);
  });
}

function markStat(lines: OutputText["lines"], marks: Marks): void {
  let seen = 0;
  lines.forEach((line, index) => {
    if (!isRow(line)) {
      if (!mode.test(line)) seen = 0;
      return;
    }
    const isGenerated = generatedIn(line.slice(1).split(" ", 1)[0] ?? "");
    if (!isGenerated) seen += 1;
    if (isGenerated || seen > mostRows) marks.drop(index, rows);
  });
  markMany(lines, marks, mode, modes, mostRefs);
}

/** ` src/berth.ts | 12 ++--` */
function isRow(line: string): boolean {
  const bar = line.indexOf(" |");
  return bar > 1 && /^ \S/u.test(line) && rowEnd.test(line.slice(bar + 2, bar + 40));
}

function markMany(lines: OutputText["lines"], marks: Marks, form: RegExp, kind: Kind, most: number): void {
  let seen = 0;
  lines.forEach((line, index) => {
    if (!form.test(line)) return;
    seen += 1;
    if (seen > most) marks.drop(index, kind);
  });
}

/** Files in conflict are all kept. */
function markStatus(lines: OutputText["lines"], marks: Marks): void {
  let list: Kind | null = null;
  let seen = 0;
  lines.forEach((line, index) => {
    if (/^(?:Untracked|Ignored) files:$/u.test(line)) [list, seen] = [untracked, 0];
    else if (/^Changes (?:to be committed|not staged for commit):$/u.test(line)) [list, seen] = [changes, 0];
    else if (!/^(?:\t| {2}\()/u.test(line)) list = null;
    if (list === null || !/^\t\S/u.test(line)) return;
    seen += 1;
    if (seen > (list === untracked ? mostUntracked : mostChanges)) marks.dropQuiet(index, list);
  });
}

function markShortStatus(lines: OutputText["lines"], marks: Marks): void {
  markMany(lines, marks, /^(?:\?\?|!!) \S/u, untracked, mostUntracked);
  markMany(lines, marks, /^(?:[MADRCT][ MDT]| [MDT]) \S/u, changes, mostChanges);
}
