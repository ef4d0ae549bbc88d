import { TtlCache } from "../../../base/timing.ts";
import type { FactHandlerPorts } from "../../facts/facts-handler.ts";
import type { ShellContext } from "../../commands/invocation.ts";
import { InstalledPrograms } from "./installed-programs.ts";
import { filesBelow, lookAt, namesIn, textOf } from "./project-disk.ts";

/** The files of a project that are proposed may be so old. Milliseconds. */
const trust = 10_000;

/** Milliseconds. */
const usualTime = 100;

export interface FactInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly contextOf: (folder: string | null) => ShellContext;
  /** Time for each run of a program, less than a hook has. Milliseconds. */
  readonly time?: number;
}

/** Makes the ports of the guard on what calls name. */
export function createFacts({
  env,
  contextOf,
  time = usualTime,
}: FactInput): Omit<FactHandlerPorts, "delivery"> {
  const programs = new InstalledPrograms(env, time);
  const git = (folder: string, args: readonly string[]) => programs.git(folder, args);
  const files = new TtlCache((project) => projectFiles(project, git), {
    trust,
    now: () => performance.now(),
  });
  return {
    contextOf,
    load: async () => await import("../../facts/look-up.ts"),
    facts: {
      look: lookAt,
      text: textOf,
      list: namesIn,
      filesOf: async (project) => await files.get(project),
      walk: filesBelow,
      git,
      help: (program, subcommand, folder) => programs.help(program, subcommand, folder),
      searched: programs.searched,
      projectOf: (folder) => contextOf(folder).project ?? folder,
    },
  };
}

/** Returns the files of a project that git knows or does not ignore; without git all that are below it. */
async function projectFiles(
  project: string,
  git: (
    folder: string,
    args: readonly string[],
  ) => Promise<{ readonly code: number; readonly output: string } | null>,
): Promise<readonly string[]> {
  const listed = await git(project, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  if (listed?.code === 0) return [...new Set(listed.output.split("\0").filter((file) => file !== ""))];
  return (await filesBelow(project)) ?? [];
}
