import * as z from "zod";
import { lostItem } from "../../ledger/entries/compaction-diffs.ts";

const items = z.array(lostItem).max(200);
const name = z.string().max(300);

/** Memory of a session between the hooks around its compactions. */
export const compactionState = z.object({
  /** A compaction that has begun, or that is over and not told of yet; null for none. */
  open: z
    .object({
      /** Milliseconds since the epoch. */
      at: z.number(),
      trigger: name.nullable(),
      /** Compactions in the session's transcript when it began; null where unknown. */
      before: z.int().nonnegative().nullable(),
      /** The items that its summary kept and lost; null until the summary is known. */
      found: z.object({ kept: items, lost: items }).nullable(),
      /** Items, by their ids, that the agent shows in the new context beside the summary. */
      echoed: z.array(name).max(200).default([]),
    })
    .nullable(),
  /** Compactions that the transcript tells of and that are dealt with; null before the first look. */
  seen: z.int().nonnegative().nullable(),
  /** Items that a person wants told at the next prompt, with the compaction that lost them. */
  chosen: z.array(z.object({ diff: name, items })).max(20),
});
export type CompactionState = z.infer<typeof compactionState>;
export type OpenCompaction = NonNullable<CompactionState["open"]>;

export const noCompaction: CompactionState = { open: null, seen: null, chosen: [] };
