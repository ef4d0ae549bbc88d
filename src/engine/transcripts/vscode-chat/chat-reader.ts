import { accessSync, constants, statSync } from "node:fs";
import { statsOf } from "../../base/files.ts";
import { FileTail } from "../file-tail.ts";
import type { RowReading } from "../agent-session.ts";
import type { WholeReader } from "../live-reader.ts";
import { readWholeFile } from "../usage-reader.ts";
import { ChatEvents, type ChatEventsInput } from "./chat-events.ts";
import { ChatLog } from "./chat-records.ts";
import type { ChatFile } from "./vscode-chat-files.ts";
import { readRecords } from "../records/recovered.ts";

/** A larger file holds more than an opened, unused chat. Bytes. */
const maxEmptySize = 256 * 1024;

/** A reader of a chat's file, which may have read all of it already. */
interface KnownChat {
  /** Returns whether the chat has no request; undefined if the file of this size and time was not read to its end. */
  isEmptyAt(stats: Pick<ChatFile, "size" | "mtimeMs">): boolean | undefined;
}

/** Recognises chats without any request: VS Code writes a file as soon as its chat view opens. */
export class EmptyChats {
  /** The latest reader of each followed chat, by path. */
  readonly #followed = new Map<string, WeakRef<KnownChat>>();
  /** Size of the files known to be empty, and of those that are not, by path. */
  readonly #known = new Map<string, { readonly version: string; readonly isEmpty: boolean }>();

  /** Uses this reader from now on, instead of reading the file again. */
  follow(path: string, reader: KnownChat): void {
    this.#followed.set(path, new WeakRef(reader));
  }

  isEmpty({ path, size, mtimeMs }: ChatFile): boolean {
    if (size > maxEmptySize) return false;
    const followed = this.#followed.get(path)?.deref()?.isEmptyAt({ size, mtimeMs });
    if (followed !== undefined) return followed;
    const version = `${size} ${mtimeMs}`;
    const known = this.#known.get(path);
    if (known?.version === version) return known.isEmpty;
    const isEmpty = this.#look(path);
    this.#known.set(path, { version, isEmpty });
    return isEmpty;
  }

  #look(path: string): boolean {
    const bytes = readWholeFile(path, maxEmptySize);
    // An unreadable file is reported by its own reader.
    if (!bytes.ok || bytes.value === undefined) return false;
    const log = new ChatLog();
    if (path.endsWith(".json")) log.whole(bytes.value);
    else for (const line of linesOf(bytes.value)) readRecords(line, (record) => log.line(record));
    return log.requests().length === 0;
  }
}

function* linesOf(bytes: Buffer): Generator<Buffer, void> {
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/** Bytes read at once: a file of several hundred megabytes must not hold up the other sessions. */
const budget = 64 * 1024 * 1024;
/** A chat before 1.109 is read at once. Bytes. */
const maxObjectSize = 256 * 1024 * 1024;

/**
 * Follows a chat's file. Reads only the additions to a growing log. VS Code replaces a log by its state after 1,024
 * entries: such a log is read again from the start, without repeating events.
 */
export class ChatReader implements WholeReader, KnownChat {
  readonly #path: string;
  readonly #events: ChatEvents;
  readonly #cwd: ChatEventsInput["cwd"];
  #log = new ChatLog();
  readonly #tail: FileTail;
  #reported = new Map<string, number>();
  #unread = 0;
  /** The file's stats when it was last read completely. */
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
   * Also differs from the last time while part of the file is unread, and once the chat's folder becomes known. Throws
   * if the file may not be read.
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
    const bytes = readWholeFile(this.#path, maxObjectSize);
    if (!bytes.ok || stats === undefined) return null;
    if (bytes.value === undefined) this.#log.oversized();
    else this.#log.whole(bytes.value);
    return stats.mtimeMs;
  }

  #restart(): void {
    this.#log = new ChatLog();
    this.#reported = new Map();
  }

  /** Lines that could not be read since the last time. */
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
