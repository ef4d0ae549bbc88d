import os from "node:os";
import path from "node:path";
import { type Sentence, sentence, t } from "../../base/language.ts";
import { purserPaths, repositoryRoot } from "../../base/paths.ts";
import { projectTextReader, projectFilesAt, guardFileAt, LoadedRules } from "../../guard/guard-files.ts";
import type { ShellContext } from "../../guard/commands.ts";
import type { CliHost } from "../cli-ports.ts";
import { folderTrust } from "../settings-access.ts";
import { asLine } from "../terminal-text.ts";
import { statSync } from "node:fs";
import { cleanText } from "../../base/text.ts";
import { succeed, type Result } from "../../base/result.ts";
import { quoted, wrongUsage } from "../args.ts";

/** Without a folder: the current project. */
export function setTrust(isTrusted: boolean, given: string, host: CliHost): Result<number> {
  const { project } = shellContext(host, given === "" ? "." : given);
  const folder = project ?? host.cwd;
  if (isTrusted && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return wrongUsage(sentence("{0} is not a folder", quoted(given)));
  if (isTrusted && (folder === host.home || folder === path.parse(folder).root))
    return wrongUsage(sentence("{0} contains several projects; give the folder of one", folder));
  const done = folderTrust(host).set(folder, isTrusted);
  if (!done.ok) return done;
  const shown = cleanText(folder);
  host.stdout.write(
    isTrusted
      ? `${t("Guard rules in {0} are used: .purser/guard.yaml and .claude/hookify.*.local.md. They can only make rules stricter.", shown)}\n`
      : `${t("Guard rules in {0} are no longer used. A VS Code window that trusts the folder enables them again.", shown)}\n`,
  );
  return succeed(0);
}

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
  host.stderr.write(`purser guard: ${asLine(problem)}\n`);
}

export function shellContext(host: CliHost, given = "."): ShellContext {
  const folder = path.resolve(host.cwd, given);
  const project = repositoryRoot(folder, host.home);
  const readText = projectTextReader(project);
  return { folder, home: host.home, project, temporary: os.tmpdir(), readText };
}
