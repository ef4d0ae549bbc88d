import path from "node:path";
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { errorCode } from "../../base/result.ts";
import { readSmallText } from "../../base/files.ts";

/** Maximum part of a script that is read. Bytes. */
const maxBytes = 60_000;
/** Time for reading the scripts of one call: a disk may be slow. Milliseconds. */
const maxTime = 100;
/** Programs of the system and of packages, which agents do not write. */
const foreign =
  /^\/(?:usr|bin|sbin|lib\d*|opt|nix|proc|sys|dev|snap|System|Library)\/(?!local\/src\/)|[/\\](?:node_modules|\.venv|venv|site-packages|\.cargo|\.rustup|\.nvm|\.pyenv|\.rbenv)[/\\]|^\\\\|^[a-z]:[/\\](?:windows|program files)/iu;

/**
 * Returns a reader of the beginnings of scripts that one call runs. It stops when the call has waited too long.
 * @param isOwn whether the agent wrote a file itself, so that it is read wherever it is
 */
export function scriptTextReader(
  elapsed: () => number,
  isOwn: (file: string) => boolean = () => false,
): (file: string) => string | null {
  // From the first read: before it, rules may still be loaded.
  let end: number | undefined;
  return (file) => {
    end ??= elapsed() + maxTime;
    return elapsed() > end || (foreign.test(file) && !isOwn(file)) ? null : beginningOf(file);
  };
}

/** Maximum names of a folder. */
const maxNames = 1000;

/** Returns the names in a folder of which a pattern chooses scripts; none for another's folder. */
export function namesInFolder(folder: string): readonly string[] {
  if (foreign.test(`${folder}/`)) return [];
  try {
    return readdirSync(folder).slice(0, maxNames);
  } catch (error) {
    errorCode(error);
    return [];
  }
}

function beginningOf(file: string): string | null {
  let handle: number | undefined;
  try {
    // Most places have no script, and opening one of them in vain costs ten times as much.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const found = fstatSync(handle);
    if (!found.isFile()) return null;
    const bytes = Buffer.allocUnsafe(Math.min(found.size, maxBytes));
    const text = bytes.toString("utf8", 0, readSync(handle, bytes, 0, bytes.length, 0));
    return text === "" || text.includes("\0") ? null : text;
  } catch (error) {
    errorCode(error);
    return null;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Maximum size of a file that is read: a dump of a database takes too long. Bytes. */
const maxTextBytes = 2_000_000;
/** Maximum part of it that is read. Characters. */
const maxLength = 20_000;

/** Returns a reader of the beginnings of text files below a project's root; null for other files. */
export function projectTextReader(root: string | null): ((file: string) => string | null) | undefined {
  if (root === null) return undefined;
  return (file) => {
    const relative = path.relative(root, file);
    if (relative === "" || relative.split(/[/\\]/u)[0] === ".." || path.isAbsolute(relative)) return null;
    return readSmallText(file, maxTextBytes)?.slice(0, maxLength) ?? null;
  };
}
