import { fail, succeed, type Result } from "../base/result.ts";
import { sentence } from "../base/language.ts";

/** A heading with its content, up to the next heading of its level or above. */
export interface Section {
  /** 1 to 6: the number of `#`. */
  readonly level: number;
  /** As written, without surrounding marks. */
  readonly title: string;
  /** As in a link to it: lower case, spaces as hyphens, other marks removed. */
  readonly slug: string;
  /** Line numbers from 0; `end` is the line after the last. */
  readonly start: number;
  readonly end: number;
}

const fenceMark = /^ {0,3}(`{3,}|~{3,})(.*)/su;
/** The marks of a heading, and the rest of its line. */
const headingMark = /^ {0,3}(#{1,6})(?![^ \t])(.*)/su;

/** Returns the sections of a Markdown file, in order. Ignores headings in code, comments and frontmatter, and underlined ones. */
export function sectionsOf(text: string): Section[] {
  const lines = linesOf(text);
  const headings = headingsOf(lines);
  return headings.map((heading, index) => {
    const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
    return { ...heading, end: next?.start ?? lines.length };
  });
}

/**
 * Returns the file without a section: every other byte unchanged.
 * @param heading its title or its slug, in any case; leading `#` are ignored
 */
export function withoutSection(
  text: string,
  heading: string,
): Result<
  { readonly text: string; readonly removed: string; readonly section: Section },
  "no_section" | "several"
> {
  const wanted = heading.replace(/^#+\s*/u, "").trim();
  const fits = sectionsOf(text).filter(
    ({ title, slug }) => title.toLowerCase() === wanted.toLowerCase() || slug === slugOf(wanted),
  );
  const [section, other] = fits;
  if (section === undefined)
    return fail("no_section", sentence('There is no heading "{0}" in the file', wanted));
  if (other !== undefined)
    return fail(
      "several",
      sentence('Lines {0} and {1} are both headed "{2}"', section.start + 1, other.start + 1, wanted),
    );
  return succeed({
    text: withoutLines(text, section.start, section.end),
    removed: textOfLines(text, section.start, section.end),
    section,
  });
}

/** Returns some lines of a text unchanged, counted from 0. @param end the line after the last */
export function textOfLines(text: string, start: number, end: number): string {
  return linesOf(text).slice(start, end).join("");
}

/** Returns the text without some of its lines: every other byte unchanged. @param end the line after the last */
export function withoutLines(text: string, start: number, end: number): string {
  const lines = linesOf(text);
  return [...lines.slice(0, start), ...lines.slice(end)].join("");
}

/** Splits a text into lines with their endings, so that joining them restores the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]+(?:\r\n|\r|\n)?|\r\n|\r|\n/gu) ?? [];
}

function headingsOf(lines: readonly string[]): Omit<Section, "end">[] {
  const roles = lineRoles(lines);
  return lines.flatMap((line, start) => {
    const [, marks, rest = ""] = headingMark.exec(lineText(line)) ?? [];
    const title = titleIn(rest);
    return marks === undefined || roles[start] !== "heading"
      ? []
      : [{ level: marks.length, title, slug: slugOf(title), start }];
  });
}

/** Leaves out the blanks around a title, and the marks that close it. */
function titleIn(rest: string): string {
  return rest.replaceAll(/^[ \t]+|(?<![ \t])[ \t]+$/gu, "").replace(/(?<![ \t])[ \t]+#+$/u, "");
}

/** The part that a line plays in a Markdown file; `fence`: the marks around code. */
export type LineRole = "frontmatter" | "comment" | "fence" | "code" | "heading" | "text";

/** Returns the role of each line. @param lines as from {@link linesOf} */
export function lineRoles(lines: readonly string[]): LineRole[] {
  let fence: string | null = null;
  let isComment = false;
  let isFrontmatter = /^\uFEFF?---[ \t]*[\r\n]/u.test(lines[0] ?? "");
  return lines.map((raw, index) => {
    const line = lineText(raw);
    if (isFrontmatter) {
      isFrontmatter = index === 0 || !/^(?:---|\.\.\.)[ \t]*$/u.test(line);
      return "frontmatter";
    }
    const [, mark, info = ""] = fenceMark.exec(line) ?? [];
    if (fence !== null) {
      if (mark?.startsWith(fence) !== true || info.trim() !== "") return "code";
      fence = null;
      return "fence";
    }
    if (isComment || line.trimStart().startsWith("<!--")) {
      isComment = !line.includes("-->");
      return "comment";
    }
    if (mark !== undefined && !(mark.startsWith("`") && info.includes("`"))) {
      fence = mark;
      return "fence";
    }
    return headingMark.test(line) ? "heading" : "text";
  });
}

/** Returns a line without its ending. */
export function lineText(line: string): string {
  return line.replace(/(?<![\r\n])[\r\n]+$/u, "");
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .trim()
    .replace(/\s/gu, "-");
}
