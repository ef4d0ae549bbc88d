import * as z from "zod/mini";

export const id = z.string().check(z.minLength(1), z.maxLength(200));

const sample = z.object({
  taskId: z.string().check(z.maxLength(200)),
  weight: z.number().check(z.positive()),
  side: z.union([z.literal(0), z.literal(1)]),
  round: z.int().check(z.positive()),
  tokens: z.number().check(z.nonnegative()),
  passed: z.boolean(),
  together: z.optional(z.readonly(z.array(id).check(z.maxLength(100)))),
});
export const evidenceShape = z.object({
  id,
  ruleId: id,
  suiteHash: z.string().check(z.maxLength(200)),
  model: z.string().check(z.maxLength(200)),
  driver: z.string().check(z.maxLength(50)),
  at: z.number(),
  samples: z.readonly(z.array(sample).check(z.maxLength(20_000))),
  plannedRounds: z.optional(z.int().check(z.positive())),
  kind: z.optional(z.enum(["candidate", "re-audit", "comparison"])),
  sequence: z.optional(z.int().check(z.positive())),
  beside: z.optional(z.readonly(z.array(id).check(z.maxLength(200)))),
  program: z.optional(z.string().check(z.maxLength(200))),
});
