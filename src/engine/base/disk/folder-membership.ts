import path from "node:path";
import { realpathSync } from "node:fs";
import { mainWorktree, ifPossible } from "./home.ts";

/** Platform with the path rules that apply: Windows and macOS ignore case. */
export interface PathOptions {
  readonly platform: NodeJS.Platform;
}

/**
 * Returns whether a session working in `cwd` belongs to a window with these folders: it does in a folder,
 * anywhere below it, and in a git worktree of a repository that is (or is below) a folder. Follows links.
 * Never throws: a path that is missing or unreadable is compared as written, and a relative one belongs
 * nowhere.
 */
export function belongsTo(cwd: string, folders: readonly string[], options: PathOptions): boolean {
  const paths = sessionPaths(cwd, options);
  return folders.some((folder) => isAmong(paths, namesOf(folder, options), options));
}

/** Returns `cwd` and the main working tree of its repository, each as written and with links resolved. */
export function sessionPaths(cwd: string, options: PathOptions): readonly string[] {
  const paths = pathsOf(options);
  if (!paths.isAbsolute(cwd)) return [];
  const own = withRealPath(cwd);
  const main = own.flatMap((one) => mainWorktree(one, paths) ?? []).flatMap(withRealPath);
  return [...new Set([...own, ...main])];
}

/** Returns the folder's path as written and with links resolved. */
export function namesOf(folder: string, options: PathOptions): readonly string[] {
  return pathsOf(options).isAbsolute(folder) ? withRealPath(folder) : [];
}

/**
 * Returns whether one of the paths is the folder or below it. Touches no disk.
 * @param names the folder's, from {@link namesOf}
 */
export function isAmong(paths: readonly string[], names: readonly string[], options: PathOptions): boolean {
  return paths.some((one) => names.some((name) => contains(name, one, options)));
}

function pathsOf({ platform }: PathOptions): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}

function contains(folder: string, inner: string, options: PathOptions): boolean {
  const paths = pathsOf(options);
  const relative = paths.relative(fold(folder, options), fold(inner, options));
  return relative === "" || (!paths.isAbsolute(relative) && relative.split(paths.sep)[0] !== "..");
}

/** macOS stores the accents of a name separately from their letters in some cases and not in others. */
function fold(fullPath: string, { platform }: PathOptions): string {
  if (platform === "darwin") return fullPath.normalize("NFC").toLowerCase();
  return platform === "win32" ? fullPath.toLowerCase() : fullPath;
}

function withRealPath(fullPath: string): string[] {
  const real = ifPossible(() => realpathSync(fullPath));
  return real === undefined || real === fullPath ? [fullPath] : [fullPath, real];
}
