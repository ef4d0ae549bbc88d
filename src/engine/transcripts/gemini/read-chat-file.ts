import path from "node:path";
import { succeed, type Result } from "../../base/result.ts";
import type { AgentSession } from "../agent-session.ts";
import { readSessionFile, readWholeFile, type UnreadableFile } from "../read-session-file.ts";
import { ChatLines } from "./read-chat.ts";
import type { GeminiFile } from "./files.ts";

/** A whole session in one object is parsed at once. Bytes. */
const longestObject = 256 * 1024 * 1024;

/** Reads a session's file, `.json` or `.jsonl`, to its end. */
export function readChat(
  file: Pick<GeminiFile, "path" | "cwd" | "parentId">,
): Result<AgentSession, UnreadableFile> {
  const { path: filePath, cwd, parentId } = file;
  const fileId = path.basename(filePath).replace(/\.jsonl?$/u, "");
  const start = () => new ChatLines({ fileId, cwd, parentId });
  if (filePath.endsWith(".jsonl")) return readSessionFile(filePath, start);
  const whole = readWholeFile(filePath, longestObject);
  if (!whole.ok) return whole;
  const lines = start();
  if (whole.value === undefined) lines.oversized();
  else lines.line(whole.value);
  return succeed(lines.session());
}
