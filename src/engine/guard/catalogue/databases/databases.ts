import type { GuardRule } from "../../calls/rule.ts";
import { migrationRules } from "./migrations.ts";
import { restoringRules } from "./restoring.ts";
import { sqlRules } from "./sql.ts";
import { storeRules } from "./stores.ts";

/** Rules on databases and queues. */
export const databaseRules: readonly GuardRule[] = [
  ...sqlRules,
  ...restoringRules,
  ...storeRules,
  ...migrationRules,
];
