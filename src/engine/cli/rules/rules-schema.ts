import * as z from "zod/mini";
import { memoryView, reportView, ruleView } from "../../rules/rules-answers.ts";

export const rulesJson = z.object({ schema: z.literal(1), rules: z.array(ruleView) });
export const memoryJson = z.object({ schema: z.literal(1), memory: memoryView });
export const reportJson = z.object({ schema: z.literal(1), report: reportView });

export type RulesJson = z.infer<typeof rulesJson>;
export type MemoryJson = z.infer<typeof memoryJson>;
export type ReportJson = z.infer<typeof reportJson>;
