import path from "node:path";
import { statsOf } from "../../base/files.ts";
import { walkFiles, type FoundFile, type FoundFiles } from "../walk-files.ts";

/** Finds every session's `session-state/<id>/events.jsonl` below a root (see `copilotRoots`). */
export function findEventFiles(root: string): FoundFiles {
  return walkFiles(path.join(root, "session-state"), {
    depth: 1,
    wanted: (name, depth) => depth === 1 && name === "events.jsonl",
  });
}

/** The path of the store of all sessions. It need not exist: versions before 1.0.83 have none. */
export function copilotStore(root: string): string {
  return path.join(root, "session-store.db");
}

/**
 * State of the store; undefined if there is none, or if it may not be read. Includes the log beside it, which is
 * written first.
 */
export function statsOfStore(store: string): Omit<FoundFile, "path"> | undefined {
  const [file, log] = [store, `${store}-wal`].map(statsOf);
  if (file === undefined) return undefined;
  return { size: file.size + (log?.size ?? 0), mtimeMs: Math.max(file.mtimeMs, log?.mtimeMs ?? 0) };
}
