import path from "node:path";
import { readSmallText } from "../../base/disk/read-small-text.ts";

/** Bytes of a file beyond which it is not read: a dump of a database, which takes longer than a call should wait. */
const largest = 2_000_000;
/** Characters of it that are looked at. */
const longest = 20_000;

/** Makes a reader of the beginning of text files below a project's root; null for any other file. */
export function projectTextReader(root: string | null): ((file: string) => string | null) | undefined {
  if (root === null) return undefined;
  return (file) => {
    const relative = path.relative(root, file);
    if (relative === "" || relative.split(/[/\\]/u)[0] === ".." || path.isAbsolute(relative)) return null;
    return readSmallText(file, largest)?.slice(0, longest) ?? null;
  };
}
