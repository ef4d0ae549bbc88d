import type { Result } from "../../base/result.ts";
import type { AgentSession } from "../../transcripts/agent-session.ts";
import type { FileProblem } from "../../transcripts/claude/files.ts";
import { countRollouts } from "../../transcripts/codex/count-rollouts.ts";
import { findRollouts } from "../../transcripts/codex/files.ts";
import { readRollout } from "../../transcripts/codex/read-rollout-file.ts";
import { codexRoots } from "../../transcripts/codex/roots.ts";
import { countCopilot } from "../../transcripts/copilot/count-sessions.ts";
import { copilotStore, findEventFiles } from "../../transcripts/copilot/files.ts";
import { readEvents } from "../../transcripts/copilot/read-event-file.ts";
import { readStore } from "../../transcripts/copilot/read-store.ts";
import { copilotRoot } from "../../transcripts/copilot/roots.ts";
import { findGeminiSessions } from "../../transcripts/gemini/files.ts";
import { readChat } from "../../transcripts/gemini/read-chat-file.ts";
import { geminiRoots } from "../../transcripts/gemini/roots.ts";
import type { UnreadableFile } from "../../transcripts/read-session-file.ts";
import type { FoundFile, FoundFiles } from "../../transcripts/walk-files.ts";
import type { CountedResponse } from "../../usage/aggregate.ts";
import { countOnce, type UsageRecord } from "../../usage/agent-record.ts";
import type { CliHost } from "../ports.ts";
import type { FilesRead } from "./files-read.ts";

/** Returns the usage of Codex, Copilot CLI and Gemini CLI, read from their files. */
export function readRecordingAgents(input: Pick<CliHost, "env" | "home">): FilesRead[] {
  const codex = readAll(findRollouts(codexRoots(input)), ({ path }) => readRollout(path));
  const gemini = readAll(findGeminiSessions(geminiRoots(input)), readChat);
  return [
    told("codex", codex, countRollouts(codex.sessions)),
    readCopilot(copilotRoot(input)),
    told("gemini", gemini, countOnce(gemini.sessions.flatMap(({ records }) => records))),
  ];
}

interface SessionsRead<Item extends UsageRecord> {
  readonly sessions: readonly AgentSession<Item>[];
  readonly problems: FileProblem[];
}

function readAll<Item extends UsageRecord, File extends FoundFile>(
  { files, problems }: FoundFiles<File>,
  read: (file: File) => Result<AgentSession<Item>, UnreadableFile>,
): SessionsRead<Item> {
  const sessions: AgentSession<Item>[] = [];
  const all = [...problems];
  for (const file of files) {
    const session = read(file);
    if (session.ok) sessions.push(session.value);
    // A file may be moved just before it is read.
    else if (session.reason !== "gone") all.push({ path: file.path, reason: session.reason });
  }
  return { sessions, problems: all };
}

function readCopilot(root: string): FilesRead {
  const events = readAll(findEventFiles(root), ({ path }) => readEvents(path));
  const file = copilotStore(root);
  const store = readStore(file);
  const problem = store.ok || store.reason === "gone" ? [] : [{ path: file, reason: store.reason }];
  const read = told("copilot", events, countCopilot(events.sessions, store.ok ? store.value.records : []));
  return { ...read, problems: [...read.problems, ...problem], files: read.files + Number(store.ok) };
}

function told<Item extends UsageRecord>(
  agent: FilesRead["agent"],
  { sessions, problems }: SessionsRead<Item>,
  records: readonly UsageRecord[],
): FilesRead {
  const sum = (kind: "malformed" | "oversized") =>
    sessions.reduce((all, { skipped }) => all + skipped[kind], 0);
  return {
    agent,
    problems,
    responses: records.filter(({ sessionId }) => sessionId !== "").map(responseOf),
    skipped: { synthetic: 0, unidentified: 0, malformed: sum("malformed"), oversized: sum("oversized") },
    files: sessions.length,
  };
}

function responseOf({ model, at, usage, sessionId, cwd }: UsageRecord): CountedResponse {
  return { model: model ?? "unknown", at, usage, sessionId, cwd };
}
