import type { Sentence } from "../../base/text/sentence.ts";
import type { HostPorts } from "../../base/process/host-ports.ts";
import { FolderTrust } from "../../settings/folder-trust.ts";
import type { ApartPlace } from "./placed.ts";

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
