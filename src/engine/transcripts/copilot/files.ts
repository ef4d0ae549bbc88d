import path from "node:path";
import { walkFiles, type FoundFiles } from "../walk-files.ts";

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
