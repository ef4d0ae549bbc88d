import type { GuardRule } from "../calls/rule.ts";
import { cloudRules } from "./clouds/clouds.ts";
import { databaseRules } from "./databases/databases.ts";
import { deletingRules } from "./deleting.ts";
import { machineRules } from "./machine-settings.ts";
import { networkRules } from "./network.ts";
import { overwritingRules } from "./overwriting.ts";

/** All rules that come with purser. */
export const catalogue: readonly GuardRule[] = [
  ...deletingRules,
  ...overwritingRules,
  ...machineRules,
  ...networkRules,
  ...cloudRules,
  ...databaseRules,
];
