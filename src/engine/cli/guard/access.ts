import os from "node:os";
import path from "node:path";
import { purserPaths } from "../../base/disk/home.ts";
import { cleanText } from "../../base/text/text.ts";
import { guardFileAt } from "../../service/hooks/guard-file.ts";
import { repositoryRoot } from "../../service/hooks/repository-root.ts";
import type { ShellContext } from "../../guard/commands/invocation.ts";
import { LoadedRules } from "../../guard/user-rules/loaded-rules.ts";
import type { CliHost } from "../ports.ts";

/** Returns the rules with what the user's `guard.yaml` says of them; its faults go to the standard error. */
export function guardRules(host: CliHost): LoadedRules {
  return new LoadedRules({
    file: guardFileAt(purserPaths(host).guardRules),
    now: () => host.now(),
    elapsed: () => performance.now(),
    onProblem: (problem) => host.stderr.write(`purser guard: ${cleanText(problem)}\n`),
  });
}

/** Returns what is known of a shell in a folder, by default the working folder. */
export function shellContext(host: CliHost, asked = "."): ShellContext {
  const folder = path.resolve(host.cwd, asked);
  return { folder, home: host.home, project: repositoryRoot(folder, host.home), temporary: os.tmpdir() };
}
