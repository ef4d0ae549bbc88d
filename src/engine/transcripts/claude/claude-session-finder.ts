import path from "node:path";
import type * as live from "../live-reader.ts";
import { findTranscripts, type TranscriptFile } from "./claude-files.ts";
import { FlatSubagents } from "./flat-subagents.ts";
import { runningSessions } from "./running.ts";
import { SubagentMetaReader } from "./subagent-meta.ts";
import { LiveRows } from "./live-rows.ts";

/** Finds Claude Code's transcripts, those of subagents with the small files beside them. */
export class SessionFinder implements live.SessionFinder {
  readonly #roots: readonly string[];
  readonly #isAlive: live.IsAlive;
  readonly #flat = new FlatSubagents();
  #projects: readonly string[] = [];

  constructor(roots: readonly string[], isAlive: live.IsAlive) {
    this.#roots = roots;
    this.#isAlive = isAlive;
  }

  find(since: number): live.FoundSessions {
    const { projects, files, problems } = findTranscripts(this.#roots);
    this.#projects = projects;
    const found = this.#flat.attach(files, since).flatMap(sessionFiles);
    return { files: found, running: runningSessions(this.#roots, this.#isAlive), problems };
  }

  folders(recent: Iterable<live.FollowedSession>): Set<string> {
    const folders = new Set(this.#projects);
    for (const root of this.#roots)
      folders.add(root).add(path.join(root, "projects")).add(path.join(root, "sessions"));
    for (const { files } of recent)
      for (const { path: file, agentId } of files) {
        folders.add(path.dirname(file));
        if (agentId !== null) continue;
        const session = file.slice(0, -".jsonl".length);
        folders.add(session).add(path.join(session, "subagents"));
      }
    return folders;
  }

  matters(changedPath: string): boolean {
    return this.#roots.some(
      (root) =>
        changedPath.startsWith(path.join(root, "projects")) ||
        changedPath.startsWith(path.join(root, "sessions")),
    );
  }
}

/** A transcript, and what is beside a subagent's. None for a file whose session is unknown. */
function sessionFiles(file: TranscriptFile): live.SessionFile[] {
  const { sessionId, agentId } = file;
  if (sessionId === null) return [];
  const transcript: live.SessionFile = {
    ...file,
    sessionId,
    kind: "lines",
    open: () => new LiveRows(sessionId, agentId),
  };
  return agentId === null ? [transcript] : [transcript, metaFile(transcript)];
}

function metaFile(transcript: live.SessionFile): live.SessionFile {
  const { sessionId, agentId, mtimeMs } = transcript;
  const file = transcript.path.replace(/\.jsonl$/u, ".meta.json");
  const open = () => new SubagentMetaReader(file);
  return { path: file, size: 0, mtimeMs, sessionId, agentId, kind: "whole", open, isAside: true };
}
