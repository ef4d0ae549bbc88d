import * as z from "zod/mini";
import { lostKinds } from "../../ledger/entries.ts";

const thing = {
  kind: z.enum(lostKinds),
  text: z.string(),
  turn: z.int().check(z.describe("The prompt after which it was last seen.")),
};
import { scorecard } from "../../continuity/answers.ts";

export const sessionShowJson = z.object({
  schema: z.literal(1),
  session: z.string(),
  cli: z.nullable(z.string()),
  folder: z.nullable(z.string()).check(z.describe("The project's.")),
  countedBefore: z
    .boolean()
    .check(
      z.describe(
        "An earlier version counted what it used, and its transcript was not read since: mostly it is gone.",
      ),
    ),
  turn: z
    .nullable(z.int())
    .check(
      z.describe(
        "Prompts so far. This and the figures of its work below are null where guards reported none.",
      ),
    ),
  asOf: z.nullable(z.string()).check(z.describe("ISO time of the last hook that this tells of.")),
  phase: z.nullable(z.string()).check(z.describe("Warmup, Productive, Exploring, Struggling or Late.")),
  trust: z.nullable(z.int()).check(z.describe("0 to 100.")),
  focus: z.nullable(z.int()).check(z.describe("0 to 100.")),
  calls: z.nullable(z.int()),
  errors: z.nullable(z.int()),
  switches: z
    .nullable(z.int())
    .check(z.describe("Edits in another part of the project than the edit before.")),
  deadEnds: z
    .nullable(z.int())
    .check(z.describe("Actions that failed three times in the same way and have not succeeded since.")),
  edited: z.nullable(z.int()).check(z.describe("Files.")),
  verified: z.nullable(z.int()).check(z.describe("Edited files of which a check has passed since.")),
  unverified: z
    .array(z.string())
    .check(z.describe("The other edited files, the newest first; the first few.")),
  loop: z.nullable(z.string()).check(z.describe("The pattern that repeats.")),
  percentLeft: z.nullable(z.number()).check(z.describe("Share of the context left; null where unknown.")),
  thresholds: z
    .nullable(z.object({ repeats: z.int(), edits: z.int(), reads: z.int() }))
    .check(
      z.describe(
        "Repetitions, unverified edits, and reads without an edit after which guards tell the agent.",
      ),
    ),
  budget: z
    .nullable(z.object({ pieces: z.int(), characters: z.int() }))
    .check(z.describe("The most that guards tell the agent in one turn.")),
  compactions: z
    .array(
      z.object({
        id: z.string(),
        at: z.nullable(z.string()).check(z.describe("ISO time.")),
        trigger: z.nullable(z.string()).check(z.describe("In the agent's own word.")),
        kept: z
          .array(z.object(thing))
          .check(z.describe("What its summary says of what was known before it.")),
        lost: z.array(
          z.object({
            ...thing,
            back: z
              .nullable(z.enum(["told", "chosen", "given"]))
              .check(
                z.describe(
                  "told: the agent received it right after. chosen: you put it back, and the next prompt sends it. given: the agent has received it.",
                ),
              ),
          }),
        ),
      }),
    )
    .check(z.describe("Those that were compared, the newest first.")),
  scorecard: z
    .nullable(scorecard)
    .check(
      z.describe(
        "What it took beside the user's own median; shares are 0 to 1. Null where the ledger does not know the session.",
      ),
    ),
});
export type SessionShowJson = z.infer<typeof sessionShowJson>;
