import { walkFiles, type FoundFile, type FoundFiles } from "../walk-files.ts";
import path from "node:path";

/** `sessions/<year>/<month>/<day>`. */
const depth = 3;

/**
 * Finds every rollout below the roots (see `codexRoots`). One rollout may be in several files: archived while it was
 * read, or compressed. The active file wins over the archived one, the plain over the compressed. A thread may have
 * several rollouts, and all are returned: repeated records have the same keys, and count once.
 */
export function findRollouts(roots: readonly string[]): FoundFiles {
  const found = roots.map((root) =>
    walkFiles(root, { depth, wanted: (name) => sessionIdOf(name) !== undefined }),
  );
  const files = new Map<string, FoundFile>();
  for (const { files: some } of found) {
    for (const file of some.toSorted((a, b) => Number(isCold(a)) - Number(isCold(b)))) {
      const name = rolloutNameOf(file.path);
      if (!files.has(name)) files.set(name, file);
    }
  }
  return { files: [...files.values()], problems: found.flatMap(({ problems }) => problems) };
}

function isCold({ path }: FoundFile): boolean {
  return path.endsWith(".zst");
}

/**
 * The session's id from a rollout's name, `rollout-<local time>-<id>.jsonl` or `.jsonl.zst`; undefined for other files.
 */
export function sessionIdOf(file: string): string | undefined {
  return /(?:^|[/\\])rollout-[^/\\]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/iu.exec(
    file,
  )?.[1];
}

/** A rollout's name, the same wherever its file is, and whether it is compressed. */
export function rolloutNameOf(file: string): string {
  return path.basename(file).replace(/\.zst$/iu, "");
}
