import path from "node:path";
import type { RecentSession } from "./recent.ts";

export interface WatchedPaths {
  readonly roots: readonly string[];
  /** Every project folder. */
  readonly projects: readonly string[];
  readonly recent: readonly RecentSession[];
}

/**
 * Folders where a new root, project, session or subagent would appear, and where files of recent sessions
 * grow.
 */
export function foldersToWatch({ roots, projects, recent }: WatchedPaths): Set<string> {
  const folders = new Set<string>(projects);
  for (const root of roots) {
    folders.add(path.dirname(root)).add(root);
    folders.add(path.join(root, "projects")).add(path.join(root, "sessions"));
  }
  for (const { files } of recent)
    for (const { path: file, agentId } of files) {
      folders.add(path.dirname(file));
      if (agentId !== null) continue;
      const session = file.slice(0, -".jsonl".length);
      folders.add(session).add(path.join(session, "subagents"));
    }
  return folders;
}

/** Ignores most changes in a root's parent, often a home folder: it is watched only for the root to appear. */
export function mattersToDiscovery(changedPath: string, roots: readonly string[]): boolean {
  return roots.some(
    (root) =>
      changedPath === root ||
      changedPath.startsWith(path.join(root, "projects")) ||
      changedPath.startsWith(path.join(root, "sessions")),
  );
}
