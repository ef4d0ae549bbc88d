import { homedir } from "node:os";
import path from "node:path";

/** A path in short form: `~/.claude/settings.json`. */
export function shortPath(file: string, home: string = homedir()): string {
  const inside = path.relative(home, file);
  const isInside = inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside);
  return isInside ? path.join("~", inside) : file;
}
