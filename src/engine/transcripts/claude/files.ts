import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";

export { errorCode };

/** A transcript file on disk. Nothing is known of its content: the folder's name is no safe way back to a path. */
export interface TranscriptFile {
  readonly path: string;
  /** The session the file belongs to, or null for the old flat layout, where only the lines tell. */
  readonly sessionId: string | null;
  /** The subagent that wrote it, or null for a session's main file. */
  readonly agentId: string | null;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface FileProblem {
  readonly path: string;
  /** The system's error code, such as `EACCES`. */
  readonly reason: string;
}

export interface FoundTranscripts {
  /** The projects' folders, whether or not there is a transcript in them yet. */
  readonly projects: string[];
  readonly files: TranscriptFile[];
  readonly problems: FileProblem[];
}

/** A name is a session's, a subagent's, or not a transcript's at all. */
export function identify(file: string): Pick<TranscriptFile, "sessionId" | "agentId"> | undefined {
  const name = path.basename(file);
  if (!name.endsWith(".jsonl")) return undefined;
  const stem = name.slice(0, -".jsonl".length);
  if (!stem.startsWith("agent-")) return { sessionId: stem, agentId: null };
  const parts = path.dirname(file).split(path.sep);
  const subagents = parts.lastIndexOf("subagents");
  return { sessionId: parts[subagents - 1] ?? null, agentId: stem.slice("agent-".length) };
}

/**
 * Every transcript under the roots' `projects` folders: main files, subagents' files in both layouts, workflows' too.
 * A root that does not exist is no problem; a folder that cannot be read is one. Files reached twice count once.
 */
export function findTranscripts(roots: readonly string[]): FoundTranscripts {
  const found: FoundTranscripts = { projects: [], files: [], problems: [] };
  const seen = new Set<string>();
  for (const root of roots) walk(path.join(root, "projects"), 0, found, seen);
  return found;
}

/** Deep enough for `project/session/subagents/workflows/run/agent-x.jsonl`. */
const deepest = 5;

function walk(folder: string, depth: number, found: FoundTranscripts, seen: Set<string>): void {
  const entries = listFolder(folder, depth, found, seen);
  if (depth === 1) found.projects.push(folder);
  for (const entry of entries) {
    const place = path.join(folder, entry.name);
    const id = identify(place);
    if (id !== undefined && !entry.isDirectory()) addFile(place, id, found);
    else if (depth < deepest && (entry.isDirectory() || entry.isSymbolicLink()) && mayHold(entry.name, depth))
      walk(place, depth + 1, found, seen);
  }
}

/** A project's folder also holds a session's spilled tool results and memory: nothing to look for in there. */
function mayHold(name: string, depth: number): boolean {
  return depth !== 2 || name === "subagents";
}

function listFolder(folder: string, depth: number, found: FoundTranscripts, seen: Set<string>): Dirent[] {
  try {
    const real = realpathSync(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const reason = errorCode(error);
    const isAbsence = reason === "ENOENT" || (reason === "ENOTDIR" && depth > 0);
    if (!isAbsence) found.problems.push({ path: folder, reason });
    return [];
  }
}

function addFile(
  place: string,
  id: Pick<TranscriptFile, "sessionId" | "agentId">,
  found: FoundTranscripts,
): void {
  try {
    const { size, mtimeMs } = statSync(place);
    found.files.push({ path: place, ...id, size, mtimeMs });
  } catch (error) {
    const reason = errorCode(error);
    if (reason !== "ENOENT") found.problems.push({ path: place, reason });
  }
}
