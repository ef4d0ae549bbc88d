import { execa } from "execa";

/** Maximum time for git to answer. Milliseconds. */
const patience = 3000;

/** Returns whether git ignores a file of a project; null where git cannot say, as outside of a repository. */
export async function isIgnoredByGit(project: string, name: string): Promise<boolean | null> {
  // A repository's own file system monitor is a program of its choice: it is not started.
  const { exitCode } = await execa(
    "git",
    ["-c", "core.fsmonitor=false", "check-ignore", "--quiet", "--", name],
    {
      cwd: project,
      reject: false,
      stdio: "ignore",
      timeout: patience,
    },
  );
  return exitCode === 0 ? true : exitCode === 1 ? false : null;
}
