import path from "node:path";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../../base/result.ts";
import { readSmallText } from "../../base/files.ts";

/** How much of a script is read. Bytes. */
const maxBytes = 60_000;
/** Time for reading the scripts of one call: a disk may be slow. Milliseconds. */
const maxTime = 100;
/** Programs of the system and of packages, which no agent has written. */
const foreign =
  /^\/(?:usr|bin|sbin|lib\d*|opt|nix|proc|sys|dev|snap|System|Library)\/(?!local\/src\/)|[/\\](?:node_modules|\.venv|venv|site-packages|\.cargo|\.rustup|\.nvm|\.pyenv|\.rbenv)[/\\]|^\\\\|^[a-z]:[/\\](?:windows|program files)/iu;

/** Makes a reader of the scripts that one call runs: the beginnings of regular text files, while it takes no longer than a call may wait. */
export function scriptTextReader(elapsed: () => number): (file: string) => string | null {
  const end = elapsed() + maxTime;
  return (file) => (elapsed() > end || foreign.test(file) ? null : beginningOf(file));
}

function beginningOf(file: string): string | null {
  let handle: number | undefined;
  try {
    // Opening a FIFO would wait for its writer.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    if (!fstatSync(handle).isFile()) return null;
    const bytes = Buffer.alloc(maxBytes);
    const text = bytes.toString("utf8", 0, readSync(handle, bytes, 0, maxBytes, 0));
    return text === "" || text.includes("\0") ? null : text;
  } catch (error) {
    errorCode(error);
    return null;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

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
