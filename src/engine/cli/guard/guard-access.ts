import type { Sentence } from "../../base/language.ts";
import os from "node:os";
import path from "node:path";
import { purserPaths, repositoryRoot } from "../../base/paths.ts";
import { projectTextReader, projectFilesAt, guardFileAt, LoadedRules } from "../../guard/guard-files.ts";
import type { ShellContext } from "../../guard/commands.ts";
import type { CliHost } from "../cli-ports.ts";
import { folderTrust } from "../trust-access.ts";
import { said } from "../language/said.ts";

export type Problems = (problem: Sentence) => void;

/** Includes the user's `guard.yaml` and trusted projects' files. */
export function guardRules(
  host: CliHost,
  onProblem: Problems = (problem) => printProblem(problem, host),
): LoadedRules {
  const { guardRules: ownFile } = purserPaths(host);
  const trust = folderTrust(host);
  return new LoadedRules({
    file: guardFileAt(ownFile),
    projectFiles: (root) =>
      projectFilesAt(root, { userHome: host.home, ownFile, isTrusted: (each) => trust.isTrusted(each) }),
    now: () => host.now(),
    elapsed: () => performance.now(),
    onProblem,
  });
}

function printProblem(problem: Sentence, host: CliHost): void {
  host.stderr.write(`purser guard: ${said(problem)}\n`);
}

export function shellContext(host: CliHost, asked = "."): ShellContext {
  const folder = path.resolve(host.cwd, asked);
  const project = repositoryRoot(folder, host.home);
  const readText = projectTextReader(project);
  return { folder, home: host.home, project, temporary: os.tmpdir(), readText };
}
