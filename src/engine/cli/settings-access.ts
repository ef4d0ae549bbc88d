import type { Sentence } from "../base/language.ts";
import { purserPaths } from "../base/paths.ts";
import { SettingsStore } from "../settings/settings-store.ts";
import type { CliHost } from "./cli-ports.ts";
import { FolderTrust } from "../settings/folder-trust.ts";
import { asLine } from "./terminal-text.ts";

export function settingsStore(
  host: Pick<CliHost, "env" | "home" | "now">,
  onProblem: (message: Sentence) => void,
): SettingsStore {
  const clock = { now: () => host.now() };
  return new SettingsStore({ home: purserPaths(host), platform: process.platform, clock, onProblem });
}

/** Reports faults of their file on standard error. */
export function folderTrust(host: Pick<CliHost, "env" | "home" | "stderr">): FolderTrust {
  const { platform } = process;
  const onProblem = (problem: Sentence) => void host.stderr.write(`purser: ${asLine(problem)}\n`);
  return new FolderTrust({ file: purserPaths(host).trustedFolders, platform, onProblem });
}
