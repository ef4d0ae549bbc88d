import path from "node:path";
import { findTranscripts, type TranscriptFile } from "../../../transcripts/claude/claude-files.ts";
import { FlatSubagents } from "../../../transcripts/claude/flat-subagents.ts";
import { claudeEntries } from "./claude-entries.ts";
import type { FoundSources } from "../found-sources.ts";
import { LineSource } from "../line-source.ts";
import { nothingRead, type Source } from "../collect-source.ts";

/** Claude Code's transcripts. */
export function claudeSources(roots: readonly string[]): () => FoundSources {
  const flat = new FlatSubagents();
  return () => {
    const { projects, files, problems } = findTranscripts(roots);
    return {
      sources: files.map((file) => sourceOf(file, flat)),
      areas: roots.map((root) => path.join(root, "projects")),
      folders: projects,
      problems,
    };
  };
}

function sourceOf(file: TranscriptFile, flat: FlatSubagents): Source {
  const { path: filePath, size, mtimeMs, agentId } = file;
  return {
    path: filePath,
    size,
    mtimeMs,
    rest: 0,
    open(position) {
      const sessionId = file.sessionId ?? flat.attach([file], mtimeMs)[0]?.sessionId ?? null;
      // The file's first line has not been written yet.
      if (sessionId === null) return { read: () => nothingRead };
      const start = (state: string | null) => claudeEntries({ path: filePath, sessionId, agentId }, state);
      return new LineSource(filePath, { start, resumes: true }, position);
    },
  };
}
