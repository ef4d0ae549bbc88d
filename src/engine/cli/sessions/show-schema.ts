import * as z from "zod/mini";
import { described } from "../../base/sentence-schema.ts";
import { lostKinds } from "../../ledger/entries.ts";

const thing = {
  kind: z.enum(lostKinds),
  text: z.string(),
  turn: described(z.int(), "The prompt after which it was last seen."),
};
import { scorecard } from "../../continuity/answers.ts";

export const sessionShowJson = z.object({
  schema: z.literal(1),
  session: z.string(),
  cli: z.nullable(z.string()),
  folder: described(z.nullable(z.string()), "The project's."),
  countedBefore: described(
    z.boolean(),
    "An earlier version counted what it used, and its transcript was not read since: mostly it is gone.",
  ),
  turn: described(
    z.nullable(z.int()),
    "Prompts so far. This and the figures of its work below are null where guards reported none.",
  ),
  asOf: described(z.nullable(z.string()), "ISO time of the last hook that this tells of."),
  phase: described(z.nullable(z.string()), "Warmup, Productive, Exploring, Struggling or Late."),
  trust: described(z.nullable(z.int()), "0 to 100."),
  focus: described(z.nullable(z.int()), "0 to 100."),
  calls: z.nullable(z.int()),
  errors: z.nullable(z.int()),
  switches: described(z.nullable(z.int()), "Edits in another part of the project than the edit before."),
  deadEnds: described(
    z.nullable(z.int()),
    "Actions that failed three times in the same way and have not succeeded since.",
  ),
  edited: described(z.nullable(z.int()), "Files."),
  verified: described(z.nullable(z.int()), "Edited files of which a check has passed since."),
  unverified: described(z.array(z.string()), "The other edited files, the newest first; the first few."),
  loop: described(z.nullable(z.string()), "The pattern that repeats."),
  percentLeft: described(z.nullable(z.number()), "Share of the context left; null where unknown."),
  thresholds: described(
    z.nullable(z.object({ repeats: z.int(), edits: z.int(), reads: z.int() })),
    "Repetitions, unverified edits, and reads without an edit after which guards tell the agent.",
  ),
  budget: described(
    z.nullable(z.object({ pieces: z.int(), characters: z.int() })),
    "The most that guards tell the agent in one turn.",
  ),
  compactions: described(
    z.array(
      z.object({
        id: z.string(),
        at: described(z.nullable(z.string()), "ISO time."),
        trigger: described(z.nullable(z.string()), "In the agent's own word."),
        kept: described(z.array(z.object(thing)), "What its summary says of what was known before it."),
        lost: z.array(
          z.object({
            ...thing,
            back: described(
              z.nullable(z.enum(["told", "chosen", "given"])),
              "told: the agent received it right after. chosen: you put it back, and the next prompt sends it. given: the agent has received it.",
            ),
          }),
        ),
      }),
    ),
    "Those that were compared, the newest first.",
  ),
  scorecard: described(
    z.nullable(scorecard),
    "What it took beside the user's own median; shares are 0 to 1. Null where the ledger does not know the session.",
  ),
});
export type SessionShowJson = z.infer<typeof sessionShowJson>;
