import * as z from "zod";
import { entryOf, id, maybeName, maybeText, maybeTime } from "./fields.ts";

/** Kinds of things that a summary may lose, in the order in which they are told. */
export const lostKinds = ["decision", "open", "file", "dead_end", "error", "convention"] as const;

/** What one compaction kept and lost of what was known before it. */
export const compactionDiffEntry = entryOf("compaction-diff", {
  id,
  sessionId: id,
  program: maybeName,
  /** In the agent's own word. */
  trigger: maybeName,
  at: maybeTime,
  /** As JSON text; `diffItems` reads it. */
  items: maybeText(200_000),
});

/** Something lost that a person wants the agent to be told again: when it was chosen, and when it was told. */
export const putBackEntry = entryOf("put-back", {
  /** Of the compaction and the thing, so that choosing it twice counts once. */
  id,
  sessionId: id,
  diffId: id,
  itemId: id,
  chosenAt: maybeTime,
  givenAt: maybeTime,
});

/** A text of a session: data, without secrets. */
export const lostItem = z.object({
  /** The same for the same thing in another compaction. */
  id: z.string().regex(/^[0-9a-f]{12}$/u),
  kind: z.enum(lostKinds),
  text: z.string().min(1).max(800),
  /** The prompt after which it was last seen: 1 for the first. */
  turn: z.int().nonnegative(),
});

export const diffItems = z
  .array(
    z.object({
      ...lostItem.shape,
      /** Whether the summary has it; `told` for something lost that purser told the agent right after the compaction. */
      fate: z.enum(["kept", "lost", "told"]),
    }),
  )
  .max(200);
export type DiffItem = z.infer<typeof diffItems>[number];
