import type { CodedRule } from "../guard-rules/coded-rule.ts";
import { limitRules } from "../limits/limits-rules.ts";
import { allLearnedRules } from "../learned/learned-rules.ts";
import { allLoopRules } from "../loops/loops-rules.ts";
import { factRules } from "../facts/facts-rules.ts";
import { outputRules } from "../output/output-rules.ts";
import { verificationRules } from "../verification/verification-rules.ts";
import { wasteRules } from "../waste/waste-rules.ts";

/** The rules that are code: each guard that looks at more than one call tells its own. */
export const codedRules: readonly CodedRule[] = [
  ...factRules,
  ...wasteRules,
  ...limitRules,
  ...allLoopRules,
  ...verificationRules,
  ...outputRules,
  ...allLearnedRules,
];
