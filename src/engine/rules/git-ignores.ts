import { execFile } from "node:child_process";

/** Maximum time for git to answer. Milliseconds. */
const patience = 3000;

/** Returns whether git ignores a file of a project; null where git cannot say, as outside of a repository. */
export function isIgnoredByGit(project: string, name: string): Promise<boolean | null> {
  // A repository's own file system monitor is a program of its choice: it is not started.
  const args = ["-c", "core.fsmonitor=false", "check-ignore", "--quiet", "--", name];
  return new Promise((resolve) => {
    execFile("git", args, { cwd: project, timeout: patience, windowsHide: true }, (error) => {
      if (error === null) resolve(true);
      else resolve(error.code === 1 ? false : null);
    });
  });
}
