import * as z from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { errorCode } from "../../base/error-code.ts";
import { readOpening } from "../open-file.ts";
import type { TranscriptFile } from "./files.ts";

/** Enough for a subagent's first line, unless its prompt is a book. Bytes. */
const opening = 256 * 1024;
const namesSession = z.looseObject({ sessionId: z.string().min(1) });

/**
 * Old versions kept a subagent's transcript in the project's folder beside its session's, where only its lines tell whose
 * it is. This looks, and remembers.
 */
export class FlatSubagents {
  readonly #sessions = new Map<string, string>();

  /**
   * The same files, each with its session where that can be told. A file that names none by its path is opened when it
   * changed since, until it once told. @param since milliseconds since the epoch
   */
  attach(files: readonly TranscriptFile[], since: number): TranscriptFile[] {
    return files.map((file) =>
      file.sessionId === null && file.mtimeMs >= since
        ? { ...file, sessionId: this.sessionOf(file.path) ?? this.#look(file.path) }
        : file,
    );
  }

  /** The session of a file that was attached, or null. */
  sessionOf(place: string): string | null {
    return this.#sessions.get(place) ?? null;
  }

  #look(place: string): string | null {
    const sessionId = firstSession(readLines(place));
    if (sessionId !== null) this.#sessions.set(place, sessionId);
    return sessionId;
  }
}

/** The whole lines a file begins with. One that cannot be read has none: whoever reads it on tells why. */
function readLines(place: string): string[] {
  try {
    return String(readOpening(place, opening) ?? "")
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
