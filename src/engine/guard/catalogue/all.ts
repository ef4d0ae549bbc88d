import type { GuardRule } from "../calls/rule.ts";
import { deletingRules } from "./deleting.ts";

/** All rules that come with purser. */
export const catalogue: readonly GuardRule[] = [...deletingRules];
