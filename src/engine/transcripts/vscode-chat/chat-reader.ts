import { accessSync, constants, statSync } from "node:fs";
import { statsOf } from "../../base/disk/stats-of.ts";
import { FileTail } from "../file-tail.ts";
import type { RowReading } from "../event.ts";
import type { WholeReader } from "../live-reader.ts";
import { readWholeFile } from "../read-session-file.ts";
import { ChatEvents, type ChatEventsInput } from "./chat-events.ts";
import { ChatLog } from "./chat-log.ts";
import type { KnownChat } from "./empty-chats.ts";
import type { ChatFile } from "./vscode-chat-files.ts";

/** Bytes read at once: a file of several hundred megabytes must not hold up the other sessions. */
const budget = 64 * 1024 * 1024;
/** A chat before 1.109 is read at once. Bytes. */
const longestObject = 256 * 1024 * 1024;

/**
 * Follows a chat's file. Reads on in a growing log; a log that was replaced by its state, as VS Code does after 1,024 entries,
 * is read anew and tells nothing twice.
 */
export class ChatReader implements WholeReader, KnownChat {
  readonly #path: string;
  readonly #events: ChatEvents;
  readonly #cwd: ChatEventsInput["cwd"];
  #log = new ChatLog();
  readonly #tail: FileTail;
  #reported = new Map<string, number>();
  #unread = 0;
  /** The file's stats as of which all of it was read. */
  #readAs: Pick<ChatFile, "size" | "mtimeMs"> | undefined;

  constructor(path: string, chat: ChatEventsInput) {
    this.#path = path;
    this.#events = new ChatEvents(chat);
    this.#cwd = chat.cwd;
    this.#tail = new FileTail(path, {
      onRestart: () => this.#restart(),
      onLine: (line) => this.#log.line(line),
      onOversized: () => this.#log.oversized(),
    });
  }

  /**
   * Differs from the last time also as long as part of the file is unread, and once the chat's folder is known. Throws for a
   * file that may not be read.
   */
  stats(): ReturnType<WholeReader["stats"]> {
    const stats = statSync(this.#path, { throwIfNoEntry: false });
    if (stats !== undefined) accessSync(this.#path, constants.R_OK);
    return (
      stats && { size: stats.size, mtimeMs: stats.mtimeMs + this.#unread + Number(this.#cwd() !== null) }
    );
  }

  read(): readonly RowReading[] {
    const writtenAt = this.#path.endsWith(".json") ? this.#readWhole() : this.#readOn();
    return writtenAt === null ? [] : [...this.#skipped(), ...this.#events.take(this.#log, writtenAt)];
  }

  isEmptyAt({ size, mtimeMs }: Pick<ChatFile, "size" | "mtimeMs">): boolean | undefined {
    if (this.#readAs?.size !== size || this.#readAs.mtimeMs !== mtimeMs) return undefined;
    return this.#log.requests().length === 0;
  }

  #readOn(): number | null {
    const { state, more } = this.#tail.poll(budget);
    this.#unread = more ? this.#unread + 1 : 0;
    // A replaced log is incomplete until all of it is read.
    this.#readAs = state === "reading" && !more ? this.#tail.stats : undefined;
    return this.#readAs?.mtimeMs ?? null;
  }

  #readWhole(): number | null {
    const stats = statsOf(this.#path);
    const bytes = readWholeFile(this.#path, longestObject);
    if (!bytes.ok || stats === undefined) return null;
    if (bytes.value === undefined) this.#log.oversized();
    else this.#log.whole(bytes.value);
    return stats.mtimeMs;
  }

  #restart(): void {
    this.#log = new ChatLog();
    this.#reported = new Map();
  }

  /** Lines that could not be read, since the last time. */
  #skipped(): RowReading[] {
    const { malformed, oversized, unknown } = this.#log.skipped;
    const counts = new Map([["malformed", malformed], ["oversized", oversized], ...unknown]);
    const fresh = [...counts].flatMap(([type, count]) =>
      Array.from({ length: count - (this.#reported.get(type) ?? 0) }, () => readingOf(type)),
    );
    this.#reported = counts;
    return fresh;
  }
}

function readingOf(type: string): RowReading {
  return type === "malformed" ? { outcome: "malformed" } : { outcome: "unknown", type };
}
