import * as z from "zod/mini";

/** The tasks, in the order in which they are done. */
export const taskNames = [
  "LearnEffectiveness",
  "BuildResumePacket",
  "LearnSequences",
  "ClusterErrors",
  "LearnRepairPatterns",
  "LearnConventions",
  "UpdateWorkingSetRanking",
  "BuildDeadEndMemory",
  "ScoreArtifacts",
  "ConsolidateEvents",
] as const;
export type TaskName = (typeof taskNames)[number];

const count = z.int().check(z.nonnegative());
/** Milliseconds since the epoch. */
const time = z.nullable(z.number());

export const learnedStates = ["shown", "kept", "edited", "forgotten"] as const;
const learnedKinds = ["convention", "repair", "sequence", "error", "dead-end"] as const;

/** Something that was learned of a project, with what shows it. */
export const learnedItem = z.object({
  id: z.string(),
  kind: z.enum(learnedKinds),
  project: z.string().check(z.describe("The project's folder.")),
  text: z.string().check(z.describe("A sentence; in the user's words where the state is edited.")),
  remedy: z.nullable(z.string()).check(z.describe("What to do about it.")),
  sessions: count.check(z.describe("Sessions in which it was seen.")),
  times: count.check(z.describe("How often it was seen in all.")),
  evidence: z
    .array(z.object({ session: z.string(), turns: z.array(count) }))
    .check(z.describe("The newest of these sessions, with the first prompts after which it was seen.")),
  at: time.check(z.describe("When it was seen last. Milliseconds since the epoch.")),
  score: z.nullable(count).check(z.describe("0 to 100, by how often it was seen and of use, and its age.")),
  state: z.enum(learnedStates).check(z.describe("What the user says of it.")),
  uses: count.check(z.describe("Sessions that received it.")),
  helped: count.check(z.describe("Of these, how often it helped, as later calls show.")),
  failed: count.check(z.describe("How often it did not.")),
});
export type LearnedItem = z.infer<typeof learnedItem>;

export const learningStatus = z.object({
  isOn: z.boolean().check(z.describe("Whether the user lets it learn.")),
  running: z
    .nullable(z.object({ task: z.enum(taskNames), done: count, of: count }))
    .check(z.describe("What is done now, and how many files or projects of it are done.")),
  waitsFor: z
    .nullable(z.enum(["setting", "agents", "time", "battery"]))
    .check(
      z.describe(
        "Why it does not begin: it is off, agents work, it was done lately, or the machine runs on its battery.",
      ),
    ),
  endedAt: time.check(z.describe("When it was last done to the end. Milliseconds since the epoch.")),
  isOnBattery: z.nullable(z.boolean()).check(z.describe("Null where it is not known.")),
});
export type LearningStatus = z.infer<typeof learningStatus>;

export const learnReport = z.object({
  files: count.check(z.describe("Files that were read.")),
  conclusions: count.check(
    z.describe("Conclusions drawn in this run; each is about one project and one task."),
  ),
});
