import { readRecords } from "../records/recovered.ts";
import { readWholeFile } from "../read-session-file.ts";
import { ChatLog } from "./chat-log.ts";
import type { ChatFile } from "./vscode-chat-files.ts";

/** A larger file holds more than a chat that was opened and not used. Bytes. */
const largestEmpty = 256 * 1024;

/** A reader of a chat's file, which may have read all of it already. */
export interface KnownChat {
  /** Returns whether the chat has no request; undefined unless the file of this size and time was read to its end. */
  isEmptyAt(stats: Pick<ChatFile, "size" | "mtimeMs">): boolean | undefined;
}

/** Tells chats without any request: VS Code writes a file as soon as its chat view opens. */
export class EmptyChats {
  /** The latest reader of each chat that is followed, by path. */
  readonly #followed = new Map<string, WeakRef<KnownChat>>();
  /** Size of the files known to be empty, and of those that are not, by path. */
  readonly #known = new Map<string, { readonly version: string; readonly isEmpty: boolean }>();

  /** Asks this reader from now on, instead of reading the file again. */
  follow(path: string, reader: KnownChat): void {
    this.#followed.set(path, new WeakRef(reader));
  }

  isEmpty({ path, size, mtimeMs }: ChatFile): boolean {
    if (size > largestEmpty) return false;
    const told = this.#followed.get(path)?.deref()?.isEmptyAt({ size, mtimeMs });
    if (told !== undefined) return told;
    const version = `${size} ${mtimeMs}`;
    const known = this.#known.get(path);
    if (known?.version === version) return known.isEmpty;
    const isEmpty = this.#look(path);
    this.#known.set(path, { version, isEmpty });
    return isEmpty;
  }

  #look(path: string): boolean {
    const bytes = readWholeFile(path, largestEmpty);
    // One that cannot be read is reported where it is read.
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
