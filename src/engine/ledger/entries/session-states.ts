import * as z from "zod";
import { count, entryOf, id, maybeName, maybeText, maybeTime } from "./fields.ts";

/** The state of a session's work in a turn. A later one of the same turn replaces it. */
export const sessionStateEntry = entryOf("session-state", {
  sessionId: id,
  /** Prompts so far. */
  turn: count,
  at: maybeTime,
  program: maybeName,
  /** The project's. */
  folder: maybeName,
  phase: id,
  /** 0 to 100. */
  trust: count,
  focus: count,
  /** Sums of the session: calls that ended and that failed, edits in another part of the project than the edit before. */
  calls: count,
  errors: count,
  switches: count,
  deadEnds: count,
  /** Files. */
  edited: count,
  verified: count,
  /** As JSON text; `stateDetails` reads it. */
  details: maybeText(20_000),
});

export const stateDetails = z.object({
  /** Share of the context left. Percent. */
  left: z.number().nullable(),
  /** The pattern that repeats. */
  loop: z.string().nullable(),
  /** Edited files without a passed check since, the newest first; the first few. */
  unverified: z.array(z.string()),
  /** Thresholds that are adapted to the phase: repetitions, edits and reads before the agent is told. */
  repeatsBeforeTelling: z.int(),
  editsBeforeTelling: z.int(),
  readsBeforeTelling: z.int(),
  /** The most that the session may be told in a turn. */
  pieces: z.int(),
  characters: z.int(),
});
export type StateDetails = z.infer<typeof stateDetails>;
