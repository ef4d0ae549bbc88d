import { type FileProblem } from "../../../base/result.ts";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { firstFile, type FoundFile, noteProblem } from "../../walk-files.ts";
import type { IsAlive } from "../../live-reader.ts";

export interface SessionFolder {
  readonly sessionId: string;
  readonly path: string;
  /** The file with its rows; undefined before the first prompt. */
  readonly events: FoundFile | undefined;
  /** A live process holds one of its locks. */
  readonly isRunning: boolean;
  /** When a file last appeared in it or left it, for a folder without rows. Milliseconds since the epoch. */
  readonly changedAt: number;
}

const lock = /^inuse\.(?<pid>[1-9]\d{0,9})\.lock$/u;

/** Whether a file of this name shows that a session began or ended, or is a new session's first file. */
export function showsSession(name: string): boolean {
  return name === "events.jsonl" || lock.test(name);
}

export function findSessionFolders(
  root: string,
  isAlive: IsAlive,
): { readonly folders: SessionFolder[]; readonly problems: FileProblem[] } {
  const problems: FileProblem[] = [];
  const parent = path.join(root, "session-state");
  const list = (folder: string): string[] | undefined => {
    try {
      return readdirSync(folder);
    } catch (error) {
      noteProblem(folder, error, problems);
      return undefined;
    }
  };
  const folders = (list(parent) ?? []).flatMap((sessionId): SessionFolder[] => {
    // The agent keeps locks of its own beside the sessions, in folders whose names begin with a dot.
    if (sessionId.startsWith(".")) return [];
    const folder = path.join(parent, sessionId);
    const names = list(folder);
    if (names === undefined) return [];
    const events = names.includes("events.jsonl")
      ? statsOf(path.join(folder, "events.jsonl"), problems)
      : undefined;
    const changedAt = events?.mtimeMs ?? statsOf(folder, problems)?.mtimeMs ?? 0;
    const isRunning = names.some((name) => isHeld(name, isAlive));
    return [{ sessionId, path: folder, events, isRunning, changedAt }];
  });
  return { folders, problems };
}

export function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  return firstFile(roots.map((root) => path.join(root, "session-state", id, "events.jsonl")));
}

/** A killed process leaves its lock behind. */
function isHeld(name: string, isAlive: IsAlive): boolean {
  const pid = lock.exec(name)?.groups?.["pid"];
  return pid !== undefined && isAlive(Number(pid));
}

function statsOf(file: string, problems: FileProblem[]): FoundFile | undefined {
  try {
    const { size, mtimeMs } = statSync(file);
    return { path: file, size, mtimeMs };
  } catch (error) {
    noteProblem(file, error, problems);
    return undefined;
  }
}
