import { lineText, linesOf, sectionsOf } from "../markdown-section.ts";
import type { RoledLine } from "./changing.ts";
import { partOfLine, wholeLines, type LintFinding } from "./found-text.ts";
import { sentence } from "../../base/language.ts";

/** Headings under which a list grows with the work. */
const growing =
  /^(?:(?:\p{L}+ )?(?:lessons learned|learnings)|(?:project |recent |our |current |work |development |implementation )?(?:change ?log|history|progress|journal|work log|log|changes|updates|status|milestones)(?: log| notes)?|done|completed(?: \p{L}+)?|session (?:notes?|log)|lessons|(?:open |current )?(?:to-?dos?|todo list|backlog|tasks)|recent work|release notes|decision log|decisions made|status updates?)$/iu;
/** Items of a list under such a heading. */
const minItems = 8;
/** Minimum dated items of a list, whatever its heading is. */
const minDated = 5;

const item = /^ {0,3}(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?/u;
const dated = /^[*_`[(]{0,3}\d{4}-\d{2}-\d{2}\b/u;

interface GrowingList {
  /** The heading of its section; null for a list that is found by its dates. */
  readonly title: string | null;
  readonly start: number;
  /** The line after the last. */
  readonly end: number;
}

/** Finds lists that grow with the work: changes, progress, lessons. They are read rarely, and sent always. */
export function growingLists(text: string, lines: readonly RoledLine[]): LintFinding[] {
  const found: GrowingList[] = [];
  const isNew = ({ start, end }: GrowingList) =>
    !found.some((each) => each.start <= start && end <= each.end);
  for (const { title, start, end } of sectionsOf(text)) {
    const list = { title, start, end };
    const items = growing.test(plainTitle(title)) ? itemsIn(lines, start + 1, end).length : 0;
    if (items >= minItems && isNew(list)) found.push(list);
  }
  for (const run of datedRuns(lines)) {
    const list = { ...run, title: null };
    if (isNew(list)) found.push(list);
  }
  const raw = linesOf(text);
  return found.map((list) => listFinding(raw, list));
}

function listFinding(raw: readonly string[], { title, start, end }: GrowingList): LintFinding {
  const first = raw[start] ?? "";
  const text = raw.slice(start, end).join("");
  const file = `docs/${fileName(title ?? "History")}.md`;
  const newline = first.endsWith("\r\n") ? "\r\n" : "\n";
  const heading = title === null ? "" : `${lineText(first)}${newline}${newline}`;
  const pointer = `${heading}\`${file}\` has it: read it when you need it.${newline}`;
  return {
    kind: "growing-list",
    span: partOfLine(start, 0, lineText(first).length),
    message:
      title === null
        ? sentence("A list of dated entries grows with the work, and all of it is sent each time.")
        : sentence("“{0}” grows with the work, and all of it is sent each time.", title),
    remedy: sentence("Move it to a file of its own, and say here when to read that."),
    text,
    fix: {
      title: sentence("Move It to {0}", file),
      span: wholeLines(start, end),
      text: end < raw.length ? `${pointer}${newline}` : pointer,
      file: { path: file, text },
    },
  };
}

/** A heading without numbers, marks and what stands in brackets. */
function plainTitle(title: string): string {
  return title
    .replaceAll(/\([^)\n]{0,200}\)/gu, " ")
    .replace(/^(?:step |phase )?\d+[.:)]?/iu, " ")
    .replaceAll(/[^\p{L}-]+/gu, " ")
    .trim();
}

/** A file's name made of a heading. */
function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");
  return name === "" ? "history" : name.slice(0, 60);
}

function itemsIn(lines: readonly RoledLine[], start: number, end: number): string[] {
  return lines
    .slice(start, end)
    .flatMap(({ text, role }) => (role === "text" && item.test(text) ? [text.replace(item, "")] : []));
}

interface DatedRun {
  start: number;
  end: number;
  items: number;
  dated: number;
}

/** Runs of list items that mostly start with a date. */
function datedRuns(lines: readonly RoledLine[]): { readonly start: number; readonly end: number }[] {
  const runs: DatedRun[] = [];
  let open: DatedRun | null = null;
  for (const [index, { text, role }] of lines.entries()) {
    if (role === "text" && item.test(text)) {
      open ??= { start: index, end: index, dated: 0, items: 0 };
      open.items += 1;
      open.end = index + 1;
      if (dated.test(text.replace(item, ""))) open.dated += 1;
    } else if (open !== null && text.trim() !== "" && !/^\s/u.test(text)) {
      runs.push(open);
      open = null;
    }
  }
  if (open !== null) runs.push(open);
  return runs.filter((run) => run.dated >= minDated && run.dated * 2 >= run.items);
}
