import type { Sentence } from "../base/language.ts";
import type { HostPorts } from "../base/process.ts";
import { FolderTrust } from "../settings/folder-trust.ts";
import type { ApartPlace } from "./spending/placed.ts";

export { leaseTime, releaseLease, reserveTokens, type Reservation } from "./spending/leases.ts";
export { recordUsage } from "./spending/record-usage.ts";

/** Where the service keeps spending of projects: its own home, unless the user trusts the folder or uses its budgets. */
export function apartPlace({
  home,
  platform,
  log,
}: Pick<HostPorts, "home" | "platform" | "log">): ApartPlace {
  const onProblem = (message: Sentence) => log.write("warn", message.text);
  const trust = new FolderTrust({ file: home.trustedFolders, platform, onProblem });
  return { folder: home.spending, isTrusted: trust.isTrusted };
}
