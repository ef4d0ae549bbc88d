import * as z from "zod/mini";
import { entryOf, id, maybeName, maybeText, maybeTime } from "./fields.ts";

/** Kinds of facts that a summary may lose, in the order in which they are sent. */
export const lostKinds = ["decision", "open", "file", "dead_end", "error", "convention"] as const;

/** Facts that one compaction kept and lost. */
export const compactionDiffEntry = entryOf("compaction-diff", {
  id,
  sessionId: id,
  program: maybeName,
  /** In the agent's own terms. */
  trigger: maybeName,
  at: maybeTime,
  /** JSON text, read by `diffItems`. */
  items: maybeText(200_000),
});

/** A lost fact that a person wants to restore: when it was chosen, and when the agent received it. */
export const putBackEntry = entryOf("put-back", {
  /** Derived from the compaction and the fact, so that choosing it twice counts once. */
  id,
  sessionId: id,
  diffId: id,
  itemId: id,
  chosenAt: maybeTime,
  givenAt: maybeTime,
});

/** A text from a session: data, without secrets. */
export const lostItem = z.object({
  /** The same id for the same fact in another compaction. */
  id: z.string().check(z.regex(/^[0-9a-f]{12}$/u)),
  kind: z.enum(lostKinds),
  text: z.string().check(z.minLength(1), z.maxLength(800)),
  /** The number of the prompt after which it was last seen: 1 for the first. */
  turn: z.int().check(z.nonnegative()),
});

export const diffItems = z
  .array(
    z.object({
      ...lostItem.shape,
      /**
       * Whether the summary has it; `told` for a lost fact that purser sent to the agent right after the compaction.
       */
      fate: z.enum(["kept", "lost", "told"]),
    }),
  )
  .check(z.maxLength(200));
export type DiffItem = z.infer<typeof diffItems>[number];
