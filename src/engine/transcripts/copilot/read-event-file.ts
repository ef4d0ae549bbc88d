import path from "node:path";
import type { Result } from "../../base/result.ts";
import type { AgentSession } from "../agent-session.ts";
import { readSessionFile, type UnreadableFile } from "../read-session-file.ts";
import { EventLines, type CopilotRecord } from "./read-events.ts";

/** Reads a session's `events.jsonl` to its end. Its folder is named after the session's id. */
export function readEvents(file: string): Result<AgentSession<CopilotRecord>, UnreadableFile> {
  return readSessionFile(file, () => new EventLines(path.basename(path.dirname(file))));
}
