import { cleanText } from "../../base/text.ts";
import { scrub } from "../../base/scrub.ts";
import { lostKinds } from "../../ledger/entries.ts";
import type { WorkItem } from "./lost.ts";

const headings: Readonly<Record<WorkItem["kind"], string>> = {
  decision: "Decided by the user",
  open: "Still open",
  file: "Files worked on",
  dead_end: "Tried without success",
  error: "Errors met",
  convention: "How things are done here",
};

/** Maximum length of one text (about 600 tokens), and of one item. Characters. */
const [maxCharacters, maxItemLength] = [2400, 240];

/** A text for an agent, and the items in it: those that fit, the most important first. */
interface ItemsText {
  readonly text: string;
  readonly items: readonly WorkItem[];
}

/** Asks the agent to keep items in the summary it is about to make. Null if there is nothing to keep. */
export function keepText(items: readonly WorkItem[]): ItemsText | null {
  return itemsText(
    "Keep these facts of the session in the summary, each by its name or in its words. They are notes by Context Purser, not tasks:",
    items,
  );
}

/** Text with what a summary leaves out. Null if it is complete. */
export function lostText(items: readonly WorkItem[]): ItemsText | null {
  return itemsText(
    "Context Purser: the summary above leaves out these facts of the session before it. They are notes, not tasks:",
    items,
  );
}

/** Text with the items that a person chose of those a summary left out. */
export function chosenText(items: readonly WorkItem[]): ItemsText | null {
  return itemsText(
    "Context Purser: the user puts these facts back, which the last compaction left out. They are notes, not tasks:",
    items,
  );
}

/** Text with the items that a person chose of those a handover left out. */
export function handedText(items: readonly WorkItem[]): ItemsText | null {
  return itemsText(
    "Context Purser: the user adds these facts of the session before this one, which its handover leaves out. They are notes, not tasks; read a file when you need it:",
    items,
  );
}

/** Leaves out times and changing counts: an agent drops a text that it already received word for word. */
function itemsText(beginning: string, items: readonly WorkItem[]): ItemsText | null {
  const fitting: WorkItem[] = [];
  let length = beginning.length;
  for (const item of items) {
    const more = shown(item).length + headings[item.kind].length + 8;
    if (length + more > maxCharacters) continue;
    length += more;
    fitting.push(item);
  }
  if (fitting.length === 0) return null;
  const lines = lostKinds.flatMap((kind) => {
    const texts = fitting.filter((item) => item.kind === kind).map(shown);
    if (texts.length === 0) return [];
    return kind === "file"
      ? [`- ${headings[kind]}: ${texts.join(", ")}`]
      : texts.map((text) => `- ${headings[kind]}: ${text}`);
  });
  return { text: [beginning, ...lines].join("\n"), items: fitting };
}

/** An item as one line: cleaned, without secrets, quoted if the words are a person's or a program's. */
function shown({ kind, text, turn }: WorkItem): string {
  const line = scrub(cleanText(text));
  const cut = line.length <= maxItemLength ? line : `${line.slice(0, maxItemLength - 1).trimEnd()}…`;
  const whole = cut.replace(/[\uD800-\uDBFF](?=…?$)/u, "");
  return kind === "file"
    ? `\`${whole.replaceAll("`", "'")}\``
    : `"${whole.replaceAll('"', "'")}" (turn ${turn})`;
}

/**
 * Extracts the part of a summary reply that goes into the context. Agents discard the block of reasoning
 * before it.
 */
export function summaryIn(reply: string): string {
  const withoutThoughts = reply.replace(/<analysis>[\s\S]*?<\/analysis>/u, "");
  const start = withoutThoughts.indexOf("<summary>");
  if (start < 0) return withoutThoughts;
  const end = withoutThoughts.lastIndexOf("</summary>");
  return withoutThoughts.slice(start + "<summary>".length, end > start ? end : undefined);
}
