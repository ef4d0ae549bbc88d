import type { CodedRule } from "../guard-rules/coded-rule.ts";

export const limitRule = {
  id: "limit-added",
  family: "waste",
  message: "An output without bound gets a limit, where the user has chosen so (`guardAddLimits`).",
  remedy: "For more, give a limit of your own.",
  example: "git log, which becomes git log -n 50.",
} as const satisfies CodedRule;

export const limitRules: readonly CodedRule[] = [limitRule];
