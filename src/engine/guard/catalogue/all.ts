import type { GuardRule } from "../calls/rule.ts";
import { cloudRules } from "./clouds/clouds.ts";
import { databaseRules } from "./databases/databases.ts";
import { deletingRules } from "./deleting.ts";
import { machineRules } from "./machine-settings.ts";
import { gitDiscardingRules } from "./git-discarding.ts";
import { codeHostingRules } from "./code-hosting.ts";
import { publishingRules } from "./publishing.ts";
import { packageInstallRules } from "./package-installs.ts";
import { registryRules } from "./registries.ts";
import { systemPackageRules } from "./system-packages.ts";
import { gitHistoryRules } from "./git-history.ts";
import { versionControlRules } from "./version-control.ts";
import { gitPushingRules } from "./git-pushing.ts";
import { gitSettingsRules } from "./git-settings.ts";
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
  ...gitDiscardingRules,
  ...gitHistoryRules,
  ...gitPushingRules,
  ...gitSettingsRules,
  ...versionControlRules,
  ...codeHostingRules,
  ...publishingRules,
  ...packageInstallRules,
  ...registryRules,
  ...systemPackageRules,
];
