import path, { type PlatformPath } from "node:path";

export interface RootsInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** This machine's path rules; tests pass another platform's. */
  readonly paths?: PlatformPath;
}

/**
 * The configuration folders in which Claude Code may store transcripts, most specific first, without duplicates. They
 * need not exist. `CLAUDE_CONFIG_DIR` (a comma-separated list) replaces the two default folders.
 */
export function claudeRoots({ env, home, paths = path }: RootsInput): string[] {
  const configured = (env["CLAUDE_CONFIG_DIR"] ?? "")
    .split(",")
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
  // The XDG specification says that a relative path is ignored.
  const xdg = env["XDG_CONFIG_HOME"] ?? "";
  const shared = paths.isAbsolute(xdg) ? xdg : paths.join(home, ".config");
  const roots =
    configured.length > 0 ? configured : [paths.join(home, ".claude"), paths.join(shared, "claude")];
  return [...new Set(roots.map((root) => paths.resolve(expandHome(root, home, paths))))];
}

/** Claude Code's configuration folder: the first named by its environment, else the default. */
export function claudeRoot(input: RootsInput): string {
  return claudeRoots(input)[0] ?? path.join(input.home, ".claude");
}

function expandHome(folder: string, home: string, paths: PlatformPath): string {
  return /^~(?=$|[\\/])/u.test(folder) ? paths.join(home, folder.slice(1)) : folder;
}
