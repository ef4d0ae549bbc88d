import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** How paths compare on the machine: Windows and macOS file systems do not tell upper from lower case. */
export interface PlaceOptions {
  readonly platform: NodeJS.Platform;
}

/**
 * Does a session that works in `cwd` belong to a window with these folders? It does in a folder, in anything below it,
 * and in a git worktree of a repository that is (or is below) a folder. Links are followed.
 */
export function belongsTo(cwd: string, folders: readonly string[], options: PlaceOptions): boolean {
  const places = [cwd, realPath(cwd)];
  const main = mainWorktree(cwd);
  if (main !== undefined) places.push(main, realPath(main));
  const homes = folders.flatMap((folder) => [folder, realPath(folder)]);
  return places.some((place) => homes.some((home) => contains(home, place, options)));
}

function contains(folder: string, place: string, { platform }: PlaceOptions): boolean {
  const paths = platform === "win32" ? path.win32 : path.posix;
  const fold = (text: string) => (platform === "linux" ? text : text.toLowerCase());
  const relative = paths.relative(fold(folder), fold(place));
  return relative === "" || (!paths.isAbsolute(relative) && relative.split(paths.sep)[0] !== "..");
}

/**
 * The main working tree of the linked worktree that `cwd` is in, or undefined when it is in none. A linked worktree has a
 * `.git` file with `gitdir: <main>/.git/worktrees/<name>`.
 */
function mainWorktree(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = path.dirname(folder)) {
    const pointer = path.join(folder, ".git");
    const kind = kindOf(pointer);
    if (kind === "folder" || path.dirname(folder) === folder) return undefined;
    if (kind === "file") {
      const gitdir = /^gitdir: (.+)$/mu.exec(readFileSync(pointer, "utf8"))?.[1]?.trim();
      if (gitdir === undefined) return undefined;
      const absolute = path.resolve(folder, gitdir);
      return path.basename(path.dirname(absolute)) === "worktrees"
        ? path.dirname(path.resolve(absolute, "..", ".."))
        : undefined;
    }
  }
}

function kindOf(place: string): "file" | "folder" | undefined {
  const stats = statSync(place, { throwIfNoEntry: false });
  return stats?.isFile() === true ? "file" : stats?.isDirectory() === true ? "folder" : undefined;
}

/** A place that is gone, or that we may not look at, is taken by its name. */
function realPath(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
}
