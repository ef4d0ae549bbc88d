import { described, sentenceSchema } from "../../base/sentence-schema.ts";
import * as z from "zod/mini";

export const levels = ["problem", "note", "ok"] as const;

const finding = z.strictObject({
  id: described(z.string(), "The same for the same matter, whatever it is about."),
  level: described(
    z.enum(levels),
    "Problem: something does not work. Note: worth knowing. Ok: as it should be.",
  ),
  about: described(z.nullable(z.string()), "The agent, or the file, where there is more than one."),
  what: sentenceSchema,
  remedy: described(z.nullable(sentenceSchema), "Null where nothing is to be done."),
});

const unknown = z.strictObject({
  agent: z.string(),
  version: described(z.nullable(z.string()), "The agent's version; null where the file does not name it."),
  kind: z.enum(["row", "field"]),
  name: z.string(),
  count: described(z.int().check(z.positive()), "Rows of that type, or with that field."),
});

export const doctorJson = z
  .strictObject({
    schema: z.literal(1),
    problems: described(
      z.int().check(z.nonnegative()),
      "Findings that are problems; the exit code is 1 where there are any.",
    ),
    notes: z.int().check(z.nonnegative()),
    findings: described(z.array(finding), "Problems first."),
    unknown: described(
      z.array(unknown),
      "What agents wrote in recent sessions that this version of purser does not know, the most frequent first.",
    ),
  })
  .check(z.meta({ title: "purser doctor --json" }));
export type DoctorJson = z.infer<typeof doctorJson>;
export type Finding = DoctorJson["findings"][number];
