import { compareWithSummary, itemsOf, type WorkItem } from "../compaction/lost.ts";
import type { ResumePacket } from "../packet/packet.ts";

interface Sides {
  /** Facts of the session that was handed over. */
  readonly before: ResumePacket;
  /** The successor's work so far. Null before its first entry. */
  readonly after: ResumePacket | null;
  /** The document that the successor began with. */
  readonly document: string;
}

/**
 * Lists what a session knew and its successor does not, the most important first. A file's content is known to the
 * successor once it has read or edited the file, even if the document names it.
 */
export function gapOf({ before, after, document }: Sides): readonly WorkItem[] {
  const items = itemsOf(before);
  const inDocument = new Set(compareWithSummary(items, document).kept.map(({ id }) => id));
  const opened = new Set(after?.files.map(({ path }) => path));
  return items.filter(({ id, kind, text }) => (kind === "file" ? !opened.has(text) : !inDocument.has(id)));
}

const prefix = "handover:";

/** Names a document in the records of facts that are put back. */
export function gapId(handover: string): string {
  return `${prefix}${handover}`;
}

export function isGapId(id: string): boolean {
  return id.startsWith(prefix);
}
