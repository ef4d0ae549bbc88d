/** Maximum last folders compared. Paths that are equal beyond it are shown in full. */
const maxFolders = 12;

/** Finds the shortest unique ends of paths, at whole folders. */
export function shortPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const short = new Map<string, string>();
  let open = [...new Set(paths)];
  for (let folders = 1; open.length > 0 && folders <= maxFolders; folders += 1) {
    const sharing = new Map<string, number>();
    for (const path of open)
      sharing.set(pathEnd(path, folders), (sharing.get(pathEnd(path, folders)) ?? 0) + 1);
    for (const path of open) {
      const end = pathEnd(path, folders);
      if (sharing.get(end) === 1) short.set(path, end);
    }
    open = open.filter((path) => !short.has(path));
  }
  for (const path of open) short.set(path, path);
  return short;
}

/** Removes the folder from a path below it; any other path is unchanged. */
export function relativePath(path: string, folder: string | null): string {
  if (folder === null || folder === "" || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length);
  return /^[\\/]./u.test(rest) ? rest.slice(1) : path;
}

function pathEnd(path: string, folders: number): string {
  const parts = path.split(/[\\/]/u).filter((part) => part !== "");
  return parts.length === 0 ? path : parts.slice(-folders).join("/");
}
