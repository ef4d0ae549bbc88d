import * as z from "zod/mini";
import { lostItem } from "../../ledger/entries.ts";

const items = z.array(lostItem).check(z.maxLength(200));
const name = z.string().check(z.maxLength(300));

/** Memory of a session between the hooks around its compactions. */
export const compactionState = z.object({
  /** A compaction that has started, or that is over and not yet reported. Null if there is none. */
  open: z.nullable(
    z.object({
      /** Milliseconds since the epoch. */
      at: z.number(),
      trigger: z.nullable(name),
      /** Compactions in the session's transcript at this one's start. Null if unknown. */
      before: z.nullable(z.int().check(z.nonnegative())),
      /** Items that the summary kept and lost. Null until the summary is known. */
      found: z.nullable(z.object({ kept: items, lost: items })),
      /** Ids of items that the agent itself adds to the new context next to the summary. */
      echoed: z._default(z.array(name).check(z.maxLength(200)), []),
    }),
  ),
  /** Number of compactions in the transcript that are dealt with. Null before the first read. */
  seen: z.nullable(z.int().check(z.nonnegative())),
  /** Items that a person wants sent at the next prompt, and the compaction that lost them. */
  chosen: z.array(z.object({ diff: name, items })).check(z.maxLength(20)),
});
export type CompactionState = z.infer<typeof compactionState>;
export type OpenCompaction = NonNullable<CompactionState["open"]>;

export const noCompaction: CompactionState = { open: null, seen: null, chosen: [] };
