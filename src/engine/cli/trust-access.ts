import type { Sentence } from "../base/language.ts";
import { purserPaths } from "../base/paths.ts";
import { FolderTrust } from "../settings/folder-trust.ts";
import type { CliHost } from "./cli-ports.ts";
import { said } from "./language/said.ts";

/** Reports faults of their file on standard error. */
export function folderTrust(host: Pick<CliHost, "env" | "home" | "stderr">): FolderTrust {
  const { platform } = process;
  const onProblem = (problem: Sentence) => void host.stderr.write(`purser: ${said(problem)}\n`);
  return new FolderTrust({ file: purserPaths(host).trustedFolders, platform, onProblem });
}
