import { sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

export const levels = ["problem", "note", "ok"] as const;

const finding = z.strictObject({
  id: z.string().check(z.describe("The same for the same matter, whatever it is about.")),
  level: z
    .enum(levels)
    .check(z.describe("Problem: something does not work. Note: worth knowing. Ok: as it should be.")),
  about: z.nullable(z.string()).check(z.describe("The agent, or the file, where there is more than one.")),
  what: sentenceSchema,
  remedy: z.nullable(sentenceSchema).check(z.describe("Null where nothing is to be done.")),
});

const unknown = z.strictObject({
  agent: z.string(),
  version: z
    .nullable(z.string())
    .check(z.describe("The agent's version; null where the file does not name it.")),
  kind: z.enum(["row", "field"]),
  name: z.string(),
  count: z.int().check(z.positive(), z.describe("Rows of that type, or with that field.")),
});

export const doctorJson = z
  .strictObject({
    schema: z.literal(1),
    problems: z
      .int()
      .check(
        z.nonnegative(),
        z.describe("Findings that are problems; the exit code is 1 where there are any."),
      ),
    notes: z.int().check(z.nonnegative()),
    findings: z.array(finding).check(z.describe("Problems first.")),
    unknown: z
      .array(unknown)
      .check(
        z.describe(
          "What agents wrote in recent sessions that this version of purser does not know, the most frequent first.",
        ),
      ),
  })
  .check(z.meta({ title: "purser doctor --json" }));
export type DoctorJson = z.infer<typeof doctorJson>;
export type Finding = DoctorJson["findings"][number];
