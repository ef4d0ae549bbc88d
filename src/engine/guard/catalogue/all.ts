import type { GuardRule } from "../calls/rule.ts";
import { unjudgedRules } from "../calls/unjudged.ts";
import { cloudRules } from "./clouds/clouds.ts";
import { databaseRules } from "./databases/databases.ts";
import { deletingRules } from "./deleting.ts";
import { machineRules } from "./machine-settings.ts";
import { gitBranchRules } from "./git-branches.ts";
import { gitDiscardingRules } from "./git-discarding.ts";
import { codeHostingRules } from "./code-hosting.ts";
import { publishingRules } from "./publishing.ts";
import { packageInstallRules } from "./package-installs.ts";
import { installScriptRules } from "./install-scripts.ts";
import { registryRules } from "./registries.ts";
import { systemPackageRules } from "./system-packages.ts";
import { gitHistoryRules } from "./git-history.ts";
import { versionControlRules } from "./version-control.ts";
import { gitPushingRules } from "./git-pushing.ts";
import { gitSettingsRules } from "./git-settings.ts";
import { movingRules } from "./moving-files.ts";
import { networkRules } from "./network.ts";
import { overwritingRules } from "./overwriting.ts";
import { fileReadingRules } from "./secrets/file-reading.ts";
import { keyFindingRules } from "./secrets/key-finding.ts";
import { keyUnlockingRules } from "./secrets/key-unlocking.ts";
import { networkAccessRules } from "./secrets/network-access.ts";
import { sendingRules } from "./secrets/sending.ts";
import { serviceSendingRules } from "./secrets/service-sending.ts";
import { valuePrintingRules } from "./secrets/value-printing.ts";
import { writtenTokenRules } from "./secrets/written-tokens.ts";
import { endlessCommandRules } from "./waste/endless-commands.ts";
import { listingRules } from "./waste/listings.ts";
import { wholeFileRules } from "./waste/whole-files.ts";
import { diskErasingRules } from "./windows/disk-erasing.ts";
import { systemSettingRules } from "./windows/system-settings.ts";
import { userRightRules } from "./windows/user-rights.ts";
import { agentFileRules } from "./writes/agent-files.ts";
import { laterCommandRules } from "./writes/later-commands.ts";
import { loginFileRules } from "./writes/login-files.ts";
import { otherFileRules } from "./writes/other-files.ts";

/** All rules that come with purser. */
export const catalogue: readonly GuardRule[] = [
  ...deletingRules,
  ...movingRules,
  ...overwritingRules,
  ...machineRules,
  ...networkRules,
  ...cloudRules,
  ...databaseRules,
  ...gitDiscardingRules,
  ...gitHistoryRules,
  ...gitBranchRules,
  ...gitPushingRules,
  ...gitSettingsRules,
  ...versionControlRules,
  ...codeHostingRules,
  ...publishingRules,
  ...packageInstallRules,
  ...installScriptRules,
  ...registryRules,
  ...systemPackageRules,
  ...fileReadingRules,
  ...keyFindingRules,
  ...keyUnlockingRules,
  ...networkAccessRules,
  ...sendingRules,
  ...serviceSendingRules,
  ...valuePrintingRules,
  ...writtenTokenRules,
  ...endlessCommandRules,
  ...listingRules,
  ...wholeFileRules,
  ...diskErasingRules,
  ...systemSettingRules,
  ...userRightRules,
  ...agentFileRules,
  ...laterCommandRules,
  ...loginFileRules,
  ...otherFileRules,
  ...unjudgedRules,
];
