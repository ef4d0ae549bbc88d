import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { errorCode } from "../../base/error-code.ts";
import { readOpening } from "../open-file.ts";
import type { TranscriptFile } from "./claude-files.ts";

/** Enough for a subagent's first line, except for enormous prompts. Bytes. */
const opening = 256 * 1024;
const namesSession = z.looseObject({ sessionId: z.string().min(1) });

/**
 * Old versions stored a subagent's transcript in the project's folder beside its session's, where only its lines name the
 * session. This class reads that session once and caches it.
 */
export class FlatSubagents {
  readonly #sessions = new Map<string, string>();

  /**
   * Returns the same files, each with its session where it can be found. A file whose path names no session is opened if
   * it changed since the given time, until a session was found in it. @param since milliseconds since the epoch
   */
  attach(files: readonly TranscriptFile[], since: number): TranscriptFile[] {
    return files.map((file) =>
      file.sessionId === null && file.mtimeMs >= since
        ? { ...file, sessionId: this.sessionOf(file.path) ?? this.#find(file.path) }
        : file,
    );
  }

  /** The session of a file passed to `attach` earlier, or null. */
  sessionOf(filePath: string): string | null {
    return this.#sessions.get(filePath) ?? null;
  }

  #find(filePath: string): string | null {
    const sessionId = firstSession(readLines(filePath));
    if (sessionId !== null) this.#sessions.set(filePath, sessionId);
    return sessionId;
  }
}

/** The whole lines a file begins with. An unreadable file has none: the reader of the full file reports why. */
function readLines(file: string): string[] {
  try {
    return String(readOpening(file, opening) ?? "")
      .split("\n")
      .slice(0, -1);
  } catch (error) {
    errorCode(error);
    return [];
  }
}

function firstSession(lines: readonly string[]): string | null {
  for (const line of lines) {
    const row = namesSession.safeParse(parseJson(line));
    if (row.success) return row.data.sessionId;
  }
  return null;
}
