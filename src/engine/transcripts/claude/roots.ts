import path from "node:path";

export interface RootsInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/**
 * The configuration folders in which Claude Code may keep transcripts, most specific first, without repeats. They need
 * not exist. `CLAUDE_CONFIG_DIR` (a comma list) moves everything; without it the two default places count.
 */
export function claudeRoots({ env, home }: RootsInput): string[] {
  const configured = (env["CLAUDE_CONFIG_DIR"] ?? "")
    .split(",")
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
  const xdg = env["XDG_CONFIG_HOME"];
  const places =
    configured.length > 0
      ? configured
      : [
          path.join(home, ".claude"),
          path.join(xdg === undefined || xdg === "" ? path.join(home, ".config") : xdg, "claude"),
        ];
  return [...new Set(places.map((place) => path.resolve(expandHome(place, home))))];
}

function expandHome(place: string, home: string): string {
  return /^~(?=$|[\\/])/u.test(place) ? path.join(home, place.slice(1)) : place;
}
