import { statsOf } from "../../../base/files.ts";
import path from "node:path";
import { readJson } from "../../../base/parse.ts";
import { rethrowUnlessSystemError } from "../../../base/result.ts";
import { readOpening } from "../../open-file.ts";
import { logRow } from "./copilot-log-rows.ts";
import type { Request } from "../request-state.ts";

/** The observed names of Copilot's storage. */
const folderNames = ["GitHub.copilot-chat", "github.copilot-chat"];
/** A first line is a few hundred bytes long. Bytes. */
const maxFirstLineSize = 64 * 1024;
const newline = 0x0a;
/** The log is written every 4 seconds by default, or less often if the user sets it so. Milliseconds. */
const maxLag = 60_000;

/** Finds which requests of a chat are in Copilot's log: the log may begin or end in the middle of a chat. */
export class LogCover {
  readonly #paths: readonly string[];
  #beginning: { readonly log: string; readonly at: number } | undefined;

  /** @param holder the storage that the chat is in */
  constructor(holder: string, sessionId: string) {
    this.#paths = folderNames.map((name) => path.join(holder, name, "debug-logs", sessionId, "main.jsonl"));
  }

  /**
   * Returns whether a request's calls are, or will be, in the log. When in doubt it returns true, so that nothing is
   * counted twice.
   * @param writtenAt when the chat's own file was written, milliseconds since the epoch
   */
  at(writtenAt: number): (request: Request) => boolean {
    const found = this.#find();
    if (found === null) return () => false;
    const { log, loggedAt } = found;
    const beginning = this.#beginningOf(log) ?? loggedAt - maxLag;
    return ({ sentAt, endedAt }) => {
      if (sentAt === null) return true;
      // The prompt alone is logged at once. If nothing was logged since, although the request ended long ago, the log
      // is off.
      const isLogged = loggedAt >= sentAt || endedAt === null || writtenAt - endedAt < maxLag;
      return sentAt >= beginning && isLogged;
    };
  }

  /** Null while the first line is not written: then the log has just begun. */
  #beginningOf(log: string): number | null {
    if (this.#beginning?.log !== log) {
      const at = beginningOf(log);
      this.#beginning = at === null ? undefined : { log, at };
    }
    return this.#beginning?.at ?? null;
  }

  /** A log may begin at any time. */
  #find(): { readonly log: string; readonly loggedAt: number } | null {
    for (const log of this.#paths) {
      const stats = statsOf(log);
      if (stats?.isFile() === true) return { log, loggedAt: stats.mtimeMs };
    }
    return null;
  }
}

/**
 * Time of its first line, null before that is written. A log without its first line was cut to its newest part, and
 * recorded everything once.
 */
function beginningOf(log: string): number | null {
  const opening = openingOf(log);
  if (opening !== undefined && opening.length < maxFirstLineSize && !opening.includes(newline)) return null;
  const [first = ""] = (opening?.toString("utf8") ?? "").split("\n", 1);
  const row = readJson(logRow, first);
  return row?.type === "session_start" ? row.ts : -Infinity;
}

function openingOf(log: string): Buffer | undefined {
  try {
    return readOpening(log, maxFirstLineSize);
  } catch (error) {
    rethrowUnlessSystemError(error);
    return undefined;
  }
}
