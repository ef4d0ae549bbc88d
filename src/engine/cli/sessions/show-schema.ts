import * as z from "zod";
import { lostKinds } from "../../ledger/entries/compaction-diffs.ts";

const thing = {
  kind: z.enum(lostKinds),
  text: z.string(),
  turn: z.int().describe("The prompt after which it was last seen."),
};
import { scorecard } from "../../continuity/answers.ts";

/** Output of `purser session show --json`. Members may be added; any other change changes `schema`. */
export const sessionShowJson = z.object({
  schema: z.literal(1),
  session: z.string(),
  cli: z.string().nullable(),
  folder: z.string().nullable().describe("The project's."),
  countedBefore: z
    .boolean()
    .describe(
      "An earlier version counted what it used, and its transcript was not read since: mostly it is gone.",
    ),
  turn: z
    .int()
    .nullable()
    .describe("Prompts so far. This and what follows on its work is null where guards told nothing of it."),
  asOf: z.string().nullable().describe("ISO time of the last hook that this tells of."),
  phase: z.string().nullable().describe("Warmup, Productive, Exploring, Struggling or Late."),
  trust: z.int().nullable().describe("0 to 100."),
  focus: z.int().nullable().describe("0 to 100."),
  calls: z.int().nullable(),
  errors: z.int().nullable(),
  switches: z.int().nullable().describe("Edits in another part of the project than the edit before."),
  deadEnds: z
    .int()
    .nullable()
    .describe("Actions that failed three times in the same way and have not succeeded since."),
  edited: z.int().nullable().describe("Files."),
  verified: z.int().nullable().describe("Edited files of which a check has passed since."),
  unverified: z.array(z.string()).describe("The other edited files, the newest first; the first few."),
  loop: z.string().nullable().describe("The pattern that repeats."),
  percentLeft: z.number().nullable().describe("Share of the context left; null where unknown."),
  thresholds: z
    .object({ repeats: z.int(), edits: z.int(), reads: z.int() })
    .nullable()
    .describe("Repetitions, unverified edits, and reads without an edit after which guards tell the agent."),
  budget: z
    .object({ pieces: z.int(), characters: z.int() })
    .nullable()
    .describe("The most that guards tell the agent in one turn."),
  compactions: z
    .array(
      z.object({
        id: z.string(),
        at: z.string().nullable().describe("ISO time."),
        trigger: z.string().nullable().describe("In the agent's own word."),
        kept: z.array(z.object(thing)).describe("What its summary says of what was known before it."),
        lost: z.array(
          z.object({
            ...thing,
            back: z
              .enum(["told", "chosen", "given"])
              .nullable()
              .describe(
                "told: the agent was told it right after. chosen: you put it back, and the next prompt tells it. given: that is done.",
              ),
          }),
        ),
      }),
    )
    .describe("Those that were compared, the newest first."),
  scorecard: scorecard
    .nullable()
    .describe(
      "What it took beside the user's own median; shares are 0 to 1. Null where the ledger does not know the session.",
    ),
});
export type SessionShowJson = z.infer<typeof sessionShowJson>;
