import type { Task, TaskComment } from "./task.ts";

/** Bounds of a digest's parts: characters of a line and of the description, and lines. */
const [longestLine, longestDescription, mostKeyLines, mostLast] = [240, 1500, 20, 3];

export interface TaskDigest {
  readonly id: string;
  readonly title: string;
  readonly state: Task["state"];
  /** Its beginning, where it is long. */
  readonly description: string;
  /** Items of checklists in the description and the comments that are not done. */
  readonly open: readonly string[];
  /** Lines that say what was decided, asked, or is in the way, the newest last. */
  readonly key: readonly { readonly author: string; readonly at: number | null; readonly line: string }[];
  /** The newest comments, each cut. */
  readonly last: readonly {
    readonly id: string;
    readonly author: string;
    readonly at: number | null;
    readonly text: string;
  }[];
  /** Comments by author, the most first. */
  readonly authors: readonly { readonly author: string; readonly comments: number }[];
}

const telling =
  /^(?:[-*>]\s*)?(?:\*\*)?(?:decision|decided|agreed|blocked|blocker|question|todo|next|note|important|fixed|result|conclusion|do not|never|must)\b/iu;

/** Sums up a task and its comments. The same thread always gives the same digest, without a model. */
export function digestOf(task: Task, comments: readonly TaskComment[]): TaskDigest {
  const lines = comments.flatMap(({ author, at, text }) =>
    text.split("\n").flatMap((line) => {
      const trimmed = line.trim();
      return telling.test(trimmed) || trimmed.endsWith("?")
        ? [{ author, at, line: cut(trimmed, longestLine) }]
        : [];
    }),
  );
  const counts = new Map<string, number>();
  for (const { author } of comments) counts.set(author, (counts.get(author) ?? 0) + 1);
  return {
    id: task.id,
    title: task.title,
    state: task.state,
    description: cut(task.description, longestDescription),
    open: [task.description, ...comments.map(({ text }) => text)]
      .flatMap((text) =>
        [...text.matchAll(/^\s*[-*]\s+\[ \]\s+(.+)$/gmu)].map(([, item = ""]) =>
          cut(item.trim(), longestLine),
        ),
      )
      .slice(-mostKeyLines),
    key: lines.slice(-mostKeyLines),
    last: comments
      .slice(-mostLast)
      .map(({ id, author, at, text }) => ({ id, author, at, text: cut(text, 2 * longestLine) })),
    authors: [...counts]
      .map(([author, count]) => ({ author, comments: count }))
      .toSorted((one, other) => other.comments - one.comments || (one.author < other.author ? -1 : 1)),
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`;
}
