import path, { type PlatformPath } from "node:path";

export interface RootsInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** How this machine writes paths; another's only in tests. */
  readonly paths?: PlatformPath;
}

/**
 * The configuration folders in which Claude Code may keep transcripts, most specific first, without repeats. They need
 * not exist. `CLAUDE_CONFIG_DIR` (a comma list) moves everything; without it the two default places count.
 */
export function claudeRoots({ env, home, paths = path }: RootsInput): string[] {
  const configured = (env["CLAUDE_CONFIG_DIR"] ?? "")
    .split(",")
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
  // By its specification a relative XDG folder does not count.
  const xdg = env["XDG_CONFIG_HOME"] ?? "";
  const shared = paths.isAbsolute(xdg) ? xdg : paths.join(home, ".config");
  const places =
    configured.length > 0 ? configured : [paths.join(home, ".claude"), paths.join(shared, "claude")];
  return [...new Set(places.map((place) => paths.resolve(expandHome(place, home, paths))))];
}

/** Claude Code's configuration folder: the first that its environment names, else its usual place. */
export function claudeRoot(input: RootsInput): string {
  return claudeRoots(input)[0] ?? path.join(input.home, ".claude");
}

function expandHome(place: string, home: string, paths: PlatformPath): string {
  return /^~(?=$|[\\/])/u.test(place) ? paths.join(home, place.slice(1)) : place;
}
