import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { TtlCache } from "../../base/ttl-cache.ts";
import {
  projectChecks,
  projectFiles,
  type ProjectCheck,
  type ProjectTexts,
} from "../verification/project-checks.ts";

/** A longer file counts as one that is only there. Bytes. */
const longest = 512 * 1024;
/** Time for which a folder is not read again. Milliseconds. */
const trust = 30_000;

interface ChecksInput {
  /** Returns the root of the project that a folder is in. */
  readonly projectOf: (folder: string) => string | null;
  /** A clock that is never set back. Milliseconds. */
  readonly elapsed: () => number;
  readonly onProblem: (message: string) => void;
}

/** Returns a function that finds the checks of the project of a folder: those of the folder itself, then those of the project's root. */
export function checksOnDisk({
  projectOf,
  elapsed,
  onProblem,
}: ChecksInput): (folder: string | null) => Promise<readonly ProjectCheck[]> {
  const known = new TtlCache((folder: string) => readProject(folder, onProblem).then(projectChecks), {
    trust,
    now: elapsed,
  });
  return async (folder) => {
    if (folder === null || !path.isAbsolute(folder)) return [];
    const root = projectOf(folder);
    const own = await known.get(folder);
    const above = root === null || root === folder ? [] : await known.get(root);
    return [...own, ...above.filter(({ kind }) => !own.some((each) => each.kind === kind))];
  };
}

async function readProject(folder: string, onProblem: ChecksInput["onProblem"]): Promise<ProjectTexts> {
  const found = await Promise.all(
    Object.entries(projectFiles).map(async ([name, part]) => {
      const text = await textOf(path.join(folder, name), part === "text", onProblem);
      return text === null ? [] : [[name, text] as const];
    }),
  );
  return new Map(found.flat());
}

/** Returns null for what is no file. A pipe with such a name is never opened. */
async function textOf(
  file: string,
  isRead: boolean,
  onProblem: ChecksInput["onProblem"],
): Promise<string | null> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return null;
    return isRead && found.size <= longest ? await readFile(file, "utf8") : "";
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      onProblem(`The checks of a project are not known: ${file}: ${code}`);
    return null;
  }
}
