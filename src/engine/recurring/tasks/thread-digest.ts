import { decisionLinesIn } from "./decision-lines.ts";
import type { Task, TaskComment } from "./task.ts";

const [maxLineLength, maxDescriptionLength, maxKeyLines, maxLastComments] = [240, 1500, 20, 3];

export interface TaskDigest {
  readonly id: string;
  readonly title: string;
  readonly state: Task["state"];
  readonly check: string | null;
  /** Only the start of a long description. */
  readonly description: string;
  /** Open checklist items that neither the description nor the last comments show. */
  readonly open: readonly string[];
  /** Lines of earlier comments with a decision, a question or an obstacle. The newest last. */
  readonly key: readonly { readonly author: string; readonly at: number | null; readonly line: string }[];
  /** The newest comments, shortened. All of them in full if a summary would be no shorter. */
  readonly last: readonly {
    readonly id: string;
    readonly author: string;
    readonly at: number | null;
    readonly text: string;
  }[];
  /** Most comments first. */
  readonly authors: readonly { readonly author: string; readonly comments: number }[];
  /** A summary would be no shorter. */
  readonly isWhole: boolean;
  /** Comments not shown in full, key lines and items, and characters of the description. */
  readonly leftOut: {
    readonly comments: number;
    readonly lines: number;
    readonly characters: number;
  };
}

const telling =
  /^(?:[-*>]\s*)?(?:\*\*)?(?:decision|decided|agreed|blocked|blocker|question|todo|next|note|important|fixed|result|conclusion|do not|never|must)\b/iu;

/**
 * Without repeated lines. Returns a thread unchanged if a summary would be no shorter. The same thread always gives the same digest, without a model.
 */
export function digestOf(task: Task, comments: readonly TaskComment[]): TaskDigest {
  const whole = wholeOf(task, comments);
  const summary = summaryOf(task, comments);
  return sizeOf(summary) < sizeOf(whole) ? summary : whole;
}

function wholeOf(task: Task, comments: readonly TaskComment[]): TaskDigest {
  const { id, title, state, check, description } = task;
  return {
    id,
    title,
    state,
    check,
    description,
    open: [],
    key: [],
    last: comments.map(({ id: own, author, at, text }) => ({ id: own, author, at, text })),
    authors: authorsOf(comments),
    isWhole: true,
    leftOut: { comments: 0, lines: 0, characters: 0 },
  };
}

function summaryOf(task: Task, comments: readonly TaskComment[]): TaskDigest {
  const { id, title, state, check } = task;
  const description = cut(task.description, maxDescriptionLength);
  const last = comments
    .slice(-maxLastComments)
    .map(({ id: own, author, at, text }) => ({ id: own, author, at, text: cut(text, 2 * maxLineLength) }));
  const shown = new Set([description, ...last.map(({ text }) => text)].flatMap(linesOf).map(plain));
  const isNews = (line: string): boolean => {
    const isShown = shown.has(plain(line));
    shown.add(plain(line));
    return !isShown;
  };
  const open = openItems([task.description, ...comments.map(({ text }) => text)]).filter(isNews);
  const key = comments
    .flatMap(({ author, at, text }) => keyLinesIn(text).map((line) => ({ author, at, line })))
    .filter(({ line }) => isNews(line));
  const kept = last.filter(({ text }, index) => text === comments.at(index - last.length)?.text);
  return {
    id,
    title,
    state,
    check,
    description,
    open: open.slice(-maxKeyLines).map((line) => cut(line, maxLineLength)),
    key: key.slice(-maxKeyLines).map((each) => ({ ...each, line: cut(each.line, maxLineLength) })),
    last,
    authors: authorsOf(comments),
    isWhole: false,
    leftOut: {
      comments: comments.length - kept.length,
      lines: Math.max(0, open.length - maxKeyLines) + Math.max(0, key.length - maxKeyLines),
      // The mark of the cut replaces the omitted text.
      characters: description === task.description ? 0 : task.description.length - (description.length - 1),
    },
  };
}

/** Items of checklists that no later text ticks. */
function openItems(texts: readonly string[]): string[] {
  const open = new Map<string, string>();
  for (const line of texts.flatMap(linesOf)) {
    const [, mark, item] = /^(?:[-*+]|\d{1,3}[.)])\s+\[([ x])\]\s+(\S.*)$/iu.exec(line) ?? [];
    if (item === undefined) continue;
    if (mark === " ") open.set(plain(item), item);
    else open.delete(plain(item));
  }
  return [...open.values()];
}

/** Whether a line is one word, such as `**Decision**:`. */
function isLabel(line: string): boolean {
  return /^[^\s:：]+[:：]?$/u.test(line.replaceAll(/[*_]/gu, ""));
}

/** Lines with a decision, a question or an obstacle. A label alone is none: what it announces is. */
function keyLinesIn(text: string): string[] {
  const lines = linesOf(text).filter(
    (line) => (telling.test(line) && !isLabel(line)) || /[?？]$/u.test(line),
  );
  const others = decisionLinesIn(text)
    .map((each) => each.text)
    .filter((each) => !lines.some((line) => line.includes(each)));
  return [...lines, ...others];
}

function authorsOf(comments: readonly TaskComment[]): TaskDigest["authors"] {
  const counts = new Map<string, number>();
  for (const { author } of comments) counts.set(author, (counts.get(author) ?? 0) + 1);
  return [...counts]
    .map(([author, count]) => ({ author, comments: count }))
    .toSorted((one, other) => other.comments - one.comments || (one.author < other.author ? -1 : 1));
}

/** Minimum printed characters of a line's marks, a comment's head, and a summary's parts. */
const [ofLine, ofComment, ofSummary] = [4, 6, 160];

/** Approximate printed characters. */
function sizeOf({ description, open, key, last, authors, isWhole }: TaskDigest): number {
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
  const time = 19;
  const thread =
    description.length +
    sum(
      last.map(
        ({ id, author, at, text }) =>
          ofComment + id.length + author.length + text.length + (at === null ? 0 : time),
      ),
    );
  if (isWhole) return thread;
  return (
    thread +
    ofSummary +
    sum(open.map((line) => ofLine + line.length)) +
    sum(key.map(({ author, line }) => ofLine + author.length + line.length)) +
    sum(authors.map(({ author }) => author.length + 8))
  );
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim());
}

/** Without the marks of a list: equal lines are the same. */
function plain(line: string): string {
  return line
    .replace(/^(?:[-*+>]\s+|\d{1,3}[.)]\s+)?(?:\[[ x]\]\s+)?/iu, "")
    .replaceAll(/\s+/gu, " ")
    .toLowerCase();
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).trimEnd()}…`;
}
