import path from "node:path";
import { lstatSync, readdirSync, realpathSync, readFileSync, statSync } from "node:fs";
import { sentence, type Sentence } from "../../base/language.ts";
import { type Result, fail, errorCode, succeed } from "../../base/result.ts";
import type { GuardFile } from "../user-rules/config-file.ts";
import type { ProjectFiles } from "../user-rules/project-rules.ts";

/** Maximum size of a file. Bytes. */
const maxBytes = 2 * 1024 * 1024;

/** Returns a file of guard rules on disk. An unreadable one has a stamp too, so that it is reported once. */
export function guardFileAt(name: string): GuardFile {
  return {
    name,
    stamp: () => {
      try {
        const found = statSync(name, { throwIfNoEntry: false });
        return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
      } catch (error) {
        const code = errorCode(error);
        return code === "ENOTDIR" ? "" : code;
      }
    },
    text: () => {
      try {
        // Reading a pipe or a device would block.
        const stats = statSync(name);
        if (!stats.isFile()) return fail("unreadable", sentence("it is no file"));
        if (stats.size > maxBytes)
          return fail("unreadable", sentence("it has {0} bytes; at most {1} are read", stats.size, maxBytes));
        return succeed(readFileSync(name, "utf8"));
      } catch (error) {
        const code = errorCode(error);
        return code === "ENOENT"
          ? succeed("")
          : fail("unreadable", sentence("it cannot be read ({0})", code));
      }
    },
  };
}

export interface ProjectFilesPorts {
  readonly userHome: string;
  /** The user's own `guard.yaml`. */
  readonly ownFile: string;
  readonly isTrusted: (root: string) => boolean;
}

/** Maximum imported files; the first by name are read. */
const maxImports = 50;
const importName = /^hookify\..{1,200}\.local\.md$/u;

/** Returns a project's files with guard rules; null if they would be the user's own. */
export function projectFilesAt(
  root: string,
  { userHome, ownFile, isTrusted }: ProjectFilesPorts,
): ProjectFiles | null {
  const name = path.join(root, ".purser", "guard.yaml");
  if (root === userHome || name === ownFile) return null;
  const folder = path.join(root, ".claude");
  const imported = () => importsIn(folder).map((each) => ownFileAt(path.join(folder, each), root));
  return {
    isTrusted: () => isTrusted(root),
    guardFile: ownFileAt(name, root),
    imports: {
      stamp: () =>
        imported()
          .map((file) => `${file.name} ${file.stamp()}`)
          .join("\n"),
      files: () => imported().map((file) => ({ name: file.name, text: file.text() })),
    },
  };
}

/** Returns a file inside a project. Links, and files behind links, are not read. */
function ownFileAt(name: string, root: string): GuardFile {
  const file = guardFileAt(name);
  return {
    ...file,
    text: (): Result<string> => {
      const why = whyForeign(name, root);
      return why === null ? file.text() : fail("unreadable", why);
    },
  };
}

function whyForeign(name: string, root: string): Sentence | null {
  try {
    const isOwn = realpathSync(name) === path.join(realpathSync(root), path.relative(root, name));
    return isOwn && !lstatSync(name).isSymbolicLink() ? null : sentence("it is a link, and not read");
  } catch (error) {
    return sentence("it cannot be read ({0})", errorCode(error));
  }
}

function importsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((each) => importName.test(each))
      .toSorted()
      .slice(0, maxImports);
  } catch (error) {
    // Most projects have no such folder.
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errorCode(error))) return [];
    throw error;
  }
}
