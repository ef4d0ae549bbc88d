import { readWholeFile } from "../read-session-file.ts";
import { ChatLog } from "./chat-log.ts";
import type { ChatFile } from "./files.ts";

/** A larger file holds more than a chat that was opened and not used. Bytes. */
const largestEmpty = 256 * 1024;

/** Tells chats without any request: VS Code writes a file as soon as its chat view opens. */
export class EmptyChats {
  /** Size of the files known to be empty, and of those that are not, by path. */
  readonly #known = new Map<string, { readonly version: string; readonly isEmpty: boolean }>();

  isEmpty({ path, size, mtimeMs }: ChatFile): boolean {
    if (size > largestEmpty) return false;
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
    else for (const line of linesOf(bytes.value)) log.line(line);
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
