import path from "node:path";
import { readOpening } from "../open-file.ts";
import { walkFiles, type FoundFile, type FoundFiles, listNames, noteProblem } from "../walk-files.ts";
import type { FileProblem } from "../../base/result.ts";

export interface GeminiFile extends FoundFile {
  /** Where the agent was started, or null for projects of versions that do not record it. */
  readonly cwd: string | null;
  /** The session whose subagent wrote it, or null. */
  readonly parentId: string | null;
}

export interface FoundChats extends FoundFiles<GeminiFile> {
  readonly projects: string[];
}

/** `<root>/<project>/chats/session-*`, and `<root>/<project>/chats/<session>/<subagent>.jsonl`. */
const chatDepth = 0;
const subagentDepth = 1;

/**
 * Finds every session's file below the roots (see `geminiRoots`). One session may be in several files: a resumed
 * `.json` continues as `.jsonl` beside it, and projects were copied to folders of another name.
 */
export function findGeminiSessions(roots: readonly string[]): FoundChats {
  const found: FoundChats = { files: [], problems: [], projects: [] };
  for (const root of roots) {
    for (const project of listNames(root, found.problems)) {
      const folder = path.join(root, project);
      found.projects.push(folder);
      const cwd = projectRootOf(folder, found.problems);
      const chats = path.join(folder, "chats");
      const { files, problems } = walkFiles(chats, { depth: subagentDepth, wanted: isSession });
      found.problems.push(...problems);
      for (const file of files) {
        const above = path.dirname(file.path);
        found.files.push({ ...file, cwd, parentId: above === chats ? null : path.basename(above) });
      }
    }
  }
  return found;
}

function isSession(name: string, depth: number): boolean {
  return depth === chatDepth ? /^session-.+\.jsonl?$/u.test(name) : name.endsWith(".jsonl");
}

/** Longer than any path. Bytes. */
const maxPathLength = 16 * 1024;

/** Returns the folder that an agent was started in, by the folder of its project's files; null where it is not recorded. */
export function projectRootOf(folder: string, problems: FileProblem[] = []): string | null {
  const file = path.join(folder, ".project_root");
  try {
    const text = readOpening(file, maxPathLength)?.toString("utf8").trim() ?? "";
    return text === "" ? null : text;
  } catch (error) {
    noteProblem(file, error, problems);
    return null;
  }
}
