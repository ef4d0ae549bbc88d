import { unjudgedRules } from "../calls/find-hits.ts";
import type { GuardRule } from "../calls/rule.ts";
import { writtenTokenRules } from "./secrets/written-tokens.ts";
import { writtenRules } from "./written-rules.ts";

/** Returns the rules of a YAML file of this folder. @param file its path without extension */
function rulesIn(file: string): readonly GuardRule[] {
  const rules = writtenRules[file];
  if (rules === undefined) throw new Error(`the guard's catalogue has no file ${file}.yaml`);
  return rules;
}

/** All of purser's rules on calls, in the order in which they are reported. */
export const catalogue: readonly GuardRule[] = [
  ...[
    "files/deleting",
    "files/own-files",
    "files/moving",
    "files/overwriting",
    "machine/administration",
    "machine/network",
    "machine/keys",
    "machine/devices",
    "machine/services",
    "machine/messages",
    "clouds/containers",
    "clouds/container-runs",
    "clouds/kubernetes",
    "clouds/clusters",
    "clouds/amazon-deleting",
    "clouds/amazon-access",
    "clouds/google-deleting",
    "clouds/google-access",
    "clouds/azure",
    "clouds/platforms",
    "clouds/services",
    "clouds/sharing",
    "clouds/terraform",
    "clouds/operations",
    "databases/sql",
    "databases/restoring",
    "databases/stores",
    "databases/migrations",
    "version-control/git-discarding",
    "version-control/git-history",
    "version-control/git-branches",
    "version-control/git-pushing",
    "version-control/git-settings",
    "version-control/other-systems",
    "version-control/code-hosting",
    "version-control/remote-jobs",
    "packages/publishing",
    "packages/installing",
    "packages/install-scripts",
    "packages/registries",
    "packages/operating-system",
    "secrets/file-reading",
    "secrets/key-finding",
    "secrets/key-unlocking",
    "secrets/network-access",
    "secrets/sending",
    "secrets/service-sending",
    "secrets/value-printing",
  ].flatMap(rulesIn),
  // In code, as scanners of secrets would report their examples in a file.
  ...writtenTokenRules,
  ...[
    "waste/endless-commands",
    "waste/listings",
    "waste/whole-files",
    "windows/disk-erasing",
    "windows/system-settings",
    "windows/user-rights",
    "writes/agent-files",
    "writes/later-commands",
    "writes/login-files",
    "writes/other-files",
  ].flatMap(rulesIn),
  ...unjudgedRules,
];
