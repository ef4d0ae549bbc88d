import { statSync } from "node:fs";
import path from "node:path";
import { findGeminiSessions, type GeminiFile } from "../../../transcripts/gemini/files.ts";
import { readChat } from "../../../transcripts/gemini/read-chat-file.ts";
import { ChatLines } from "../../../transcripts/gemini/read-chat.ts";
import { geminiRoots } from "../../../transcripts/gemini/roots.ts";
import type { AgentSession } from "../../../transcripts/agent-session.ts";
import type { HomeInput } from "../../../transcripts/home-folder.ts";
import type { LedgerEntry } from "../../entries/entry.ts";
import type { FoundSources } from "../found-sources.ts";
import { LineSource } from "../line-source.ts";
import { activityEntries, attributionByPlace } from "../records/activity.ts";
import { namedRecords, sessionEntries } from "../records/entries.ts";
import { RecordReader } from "../records/reader.ts";
import type { Source } from "../source.ts";
import { WholeSource } from "../whole-source.ts";

/** Gemini CLI's sessions of both formats. */
export function geminiSources(input: HomeInput): () => FoundSources {
  const roots = geminiRoots(input);
  return () => {
    const { files, problems } = findGeminiSessions(roots);
    return { sources: files.map(sourceOf), areas: roots, folders: [], problems };
  };
}

function sourceOf(file: GeminiFile): Source {
  const { path: place, size, mtimeMs, cwd, parentId } = file;
  return {
    path: place,
    size,
    mtimeMs,
    open(position) {
      if (place.endsWith(".json"))
        return new WholeSource(place, {
          stats: () => statSync(place, { throwIfNoEntry: false }),
          read: () => {
            const chat = readChat(file);
            return chat.ok ? { ok: true, value: entriesOf(chat.value) } : chat;
          },
        });
      const fileId = path.basename(place, ".jsonl");
      const start = () => new RecordReader(new ChatLines({ fileId, cwd, parentId }), entriesOf);
      return new LineSource(place, { start, resumes: false }, position);
    },
  };
}

function entriesOf(session: AgentSession): LedgerEntry[] {
  const named = namedRecords(session.records);
  return [
    ...sessionEntries(session, named),
    ...activityEntries(session, attributionByPlace(session.records, named)),
  ];
}
