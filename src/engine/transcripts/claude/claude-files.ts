import { plainSentence } from "../../base/language.ts";
import { type FileProblem, errorCode } from "../../base/result.ts";
import { readdirSync, realpathSync, statSync, type Dirent } from "node:fs";
import path from "node:path";
import { firstFile, pathsIn } from "../walk-files.ts";

/** A transcript file on disk, its content unread: the folder's name cannot safely be turned back into a path. */
export interface TranscriptFile {
  readonly path: string;
  /** The session the file belongs to, or null when only its lines contain it: see `FlatSubagents`. */
  readonly sessionId: string | null;
  /** The subagent that wrote it, or null for a session's main file. */
  readonly agentId: string | null;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

export interface FoundTranscripts {
  /** The projects' folders, including those without a transcript yet. */
  readonly projects: string[];
  readonly files: TranscriptFile[];
  readonly problems: FileProblem[];
}

/** Identifies a file as a session's or a subagent's by its name; undefined for anything else. */
export function identify(file: string): Pick<TranscriptFile, "sessionId" | "agentId"> | undefined {
  const stem = /^(.+)\.jsonl$/u.exec(path.basename(file))?.[1];
  if (stem === undefined) return undefined;
  if (!stem.startsWith("agent-")) return { sessionId: stem, agentId: null };
  return {
    sessionId: subagentsFolder.exec(path.dirname(file))?.[1] ?? null,
    agentId: stem.slice("agent-".length),
  };
}

/** `<session>/subagents` or `<session>/subagents/workflows/<run>`; a folder further up may have any name. */
const subagentsFolder = /(?<![^/\\])([^/\\]+)[/\\]subagents(?:[/\\]workflows[/\\][^/\\]+)?$/u;

/**
 * Finds every transcript under the roots' `projects` folders: main files, subagents' files in both layouts, and
 * workflows' files. Ignores a missing root, and reports an unreadable folder. Files reached twice count once.
 * @param onFile called with each file as soon as it is found
 */
export function findTranscripts(
  roots: readonly string[],
  onFile: (file: TranscriptFile) => void = () => undefined,
): FoundTranscripts {
  const found: FoundTranscripts = { projects: [], files: [], problems: [] };
  const search: Search = { found, seen: new Set(), onFile };
  for (const root of roots) walk({ path: path.join(root, "projects"), real: null }, projectsDepth, search);
  return found;
}

export async function transcriptOf(id: string, roots: readonly string[]): Promise<string | undefined> {
  const projects = await pathsIn(roots.map((root) => path.join(root, "projects")));
  return await firstFile(projects.map((project) => path.join(project, `${id}.jsonl`)));
}

/** Folders by depth: `projects/<project>/<session>/subagents/workflows/<run>`. */
const [projectsDepth, projectDepth, sessionDepth, subagentsDepth, runDepth] = [0, 1, 2, 3, 5];

interface Place {
  readonly path: string;
  /** The path with links resolved; null when it may hold links. */
  readonly real: string | null;
}

interface Search {
  readonly found: FoundTranscripts;
  readonly seen: Set<string>;
  readonly onFile: (file: TranscriptFile) => void;
}

function walk(folder: Place, depth: number, search: Search): void {
  const listing = list(folder, depth, search);
  if (listing === undefined) return;
  if (depth === projectDepth) search.found.projects.push(folder.path);
  for (const entry of listing.entries) {
    const entryPath = path.join(folder.path, entry.name);
    const real = entry.isSymbolicLink() ? null : path.join(listing.real, entry.name);
    const id = identify(entryPath);
    if (id !== undefined && !entry.isDirectory()) {
      if (belongs(id, depth)) addFile({ path: entryPath, real, id }, search);
    } else if (mayLeadOn(entry, depth)) walk({ path: entryPath, real }, depth + 1, search);
  }
}

/**
 * Accepts transcripts only in the folders where the agent writes them. Similar files elsewhere, such as beside
 * subagents' files or in a project's memory, are not transcripts.
 */
function belongs({ agentId }: { agentId: string | null }, depth: number): boolean {
  return depth === projectDepth || (depth >= subagentsDepth && agentId !== null);
}

/** Skips a session's other folders: they hold tool results, possibly many, and no transcripts. */
function mayLeadOn(entry: Dirent, depth: number): boolean {
  const isFolder = entry.isDirectory() || entry.isSymbolicLink();
  return isFolder && depth < runDepth && (depth !== sessionDepth || entry.name === "subagents");
}

/** Lists links last, so that their targets are already known by their own names. */
function list(
  folder: Place,
  depth: number,
  { found, seen }: Search,
): { real: string; entries: Dirent[] } | undefined {
  try {
    const real = folder.real ?? realpathSync(folder.path);
    if (seen.has(real)) return undefined;
    const entries = readdirSync(folder.path, { withFileTypes: true });
    seen.add(real);
    return {
      real,
      entries: entries.toSorted((a, b) => Number(a.isSymbolicLink()) - Number(b.isSymbolicLink())),
    };
  } catch (error) {
    const reason = errorCode(error);
    const isAbsence = reason === "ENOENT" || (reason === "ENOTDIR" && depth > projectsDepth);
    if (!isAbsence) found.problems.push({ path: folder.path, reason: plainSentence(reason) });
    return undefined;
  }
}

interface NamedFile extends Place {
  readonly id: Pick<TranscriptFile, "sessionId" | "agentId">;
}

/** Adds a file; a link to a folder is ignored. Whether it is a regular file is checked when it is read. */
function addFile(named: NamedFile, search: Search): void {
  const file = newFile(named, search);
  if (file === undefined) return;
  search.found.files.push(file);
  search.onFile(file);
}

function newFile(
  { path: filePath, real, id }: NamedFile,
  { found, seen }: Search,
): TranscriptFile | undefined {
  try {
    const stats = statSync(filePath);
    const identity = real ?? realpathSync(filePath);
    if (stats.isDirectory() || seen.has(identity)) return undefined;
    seen.add(identity);
    return { path: filePath, ...id, size: stats.size, mtimeMs: stats.mtimeMs };
  } catch (error) {
    const reason = errorCode(error);
    if (reason !== "ENOENT") found.problems.push({ path: filePath, reason: plainSentence(reason) });
    return undefined;
  }
}
