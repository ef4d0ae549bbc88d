import * as z from "zod";
import { lostItem } from "../../ledger/entries/compaction-diffs.ts";

const items = z.array(lostItem).max(200);
const name = z.string().max(300);

/** Memory of a session between the hooks around its compactions. */
export const compactionState = z.object({
  /** A compaction that has started, or that is over and not yet reported. Null if there is none. */
  open: z
    .object({
      /** Milliseconds since the epoch. */
      at: z.number(),
      trigger: name.nullable(),
      /** Compactions in the session's transcript at this one's start. Null if unknown. */
      before: z.int().nonnegative().nullable(),
      /** Items that the summary kept and lost. Null until the summary is known. */
      found: z.object({ kept: items, lost: items }).nullable(),
      /** Ids of items that the agent itself adds to the new context next to the summary. */
      echoed: z.array(name).max(200).default([]),
    })
    .nullable(),
  /** Number of compactions in the transcript that are dealt with. Null before the first read. */
  seen: z.int().nonnegative().nullable(),
  /** Items that a person wants sent at the next prompt, and the compaction that lost them. */
  chosen: z.array(z.object({ diff: name, items })).max(20),
});
export type CompactionState = z.infer<typeof compactionState>;
export type OpenCompaction = NonNullable<CompactionState["open"]>;

export const noCompaction: CompactionState = { open: null, seen: null, chosen: [] };
