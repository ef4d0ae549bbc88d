import * as z from "zod";

export const id = z.string().min(1).max(200);

const sample = z.object({
  taskId: z.string().max(200),
  weight: z.number().positive(),
  side: z.union([z.literal(0), z.literal(1)]),
  round: z.int().positive(),
  tokens: z.number().nonnegative(),
  passed: z.boolean(),
  together: z.array(id).max(100).readonly().optional(),
});
export const evidenceShape = z.object({
  id,
  ruleId: id,
  suiteHash: z.string().max(200),
  model: z.string().max(200),
  driver: z.string().max(50),
  at: z.number(),
  samples: z.array(sample).max(20_000).readonly(),
  plannedRounds: z.int().positive().optional(),
  kind: z.enum(["candidate", "re-audit", "comparison"]).optional(),
  sequence: z.int().positive().optional(),
  beside: z.array(id).max(200).readonly().optional(),
  program: z.string().max(200).optional(),
});
