import { statSync } from "node:fs";
import path from "node:path";
import { errorCode } from "../../base/error-code.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { AgentSession } from "../agent-session.ts";
import { readOpening } from "../open-file.ts";
import { readSessionFile, type UnreadableFile } from "../read-session-file.ts";
import { ChatLines } from "./read-chat.ts";
import type { GeminiFile } from "./files.ts";

/** A whole session as one object is parsed at once. Bytes. */
const longestObject = 256 * 1024 * 1024;

/** Reads a session's file, `.json` or `.jsonl`, to its end. */
export function readChat(
  file: Pick<GeminiFile, "path" | "cwd" | "parentId">,
): Result<AgentSession, UnreadableFile> {
  const { path: place, cwd, parentId } = file;
  const fileId = path.basename(place).replace(/\.jsonl?$/u, "");
  const start = () => new ChatLines({ fileId, cwd, parentId });
  if (place.endsWith(".jsonl")) return readSessionFile(place, start);
  try {
    const { size } = statSync(place);
    const lines = start();
    if (size > longestObject) lines.oversized();
    else {
      const bytes = readOpening(place, longestObject);
      if (bytes === undefined) return fail("refused", place);
      lines.line(bytes);
    }
    return succeed(lines.session());
  } catch (error) {
    return fail(errorCode(error) === "ENOENT" ? "gone" : "denied", place);
  }
}
