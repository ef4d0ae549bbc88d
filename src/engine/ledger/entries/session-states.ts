import * as z from "zod/mini";
import { count, entryOf, id, maybeName, maybeText, maybeTime } from "./fields.ts";

/** The state of a session's work in a turn. A later one of the same turn replaces it. */
export const sessionStateEntry = entryOf("session-state", {
  sessionId: id,
  /** Prompts so far. */
  turn: count,
  at: maybeTime,
  program: maybeName,
  /** The project's folder. */
  folder: maybeName,
  phase: id,
  /** 0 to 100. */
  trust: count,
  focus: count,
  /**
   * Sums over the session: ended calls, failed calls, and edits in another part of the project than the edit before.
   */
  calls: count,
  errors: count,
  switches: count,
  deadEnds: count,
  /** Number of files. */
  edited: count,
  verified: count,
  /** JSON text, read by `stateDetails`. */
  details: maybeText(20_000),
});

export const stateDetails = z.object({
  /** Share of the context left. Percent. */
  left: z.nullable(z.number()),
  /** The repeated pattern. */
  loop: z.nullable(z.string()),
  /** Edited files without a passed check since, newest first; the first few. */
  unverified: z.array(z.string()),
  /** Thresholds adapted to the phase: repetitions, edits and reads before the agent receives advice. */
  repeatsBeforeTelling: z.int(),
  editsBeforeTelling: z.int(),
  readsBeforeTelling: z.int(),
  /** Maximum texts sent to the session per turn. */
  pieces: z.int(),
  characters: z.int(),
});
export type StateDetails = z.infer<typeof stateDetails>;
