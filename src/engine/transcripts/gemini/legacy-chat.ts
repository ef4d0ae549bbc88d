import { statSync } from "node:fs";
import type { RowReading } from "../event.ts";
import { parseJsonLine } from "../json-line.ts";
import type { WholeReader } from "../live-reader.ts";
import { readWholeFile } from "../read-session-file.ts";
import type { FoundFile } from "../walk-files.ts";
import { LiveChat } from "./live-chat.ts";
import type { ChatOwner } from "./message-events.ts";

/** A whole session in one object is parsed at once. Bytes. */
const longestObject = 64 * 1024 * 1024;

/** Follows a session of the old format: one object that is written again whenever a message comes. */
export class LegacyChat implements WholeReader {
  readonly #path: string;
  readonly #chat: LiveChat;

  constructor(path: string, owner: ChatOwner) {
    this.#path = path;
    this.#chat = new LiveChat(owner);
  }

  stats(): Omit<FoundFile, "path"> | undefined {
    return statSync(this.#path, { throwIfNoEntry: false });
  }

  /** Nothing for a file that is being written at this moment: it is read again when it is done. */
  read(): readonly RowReading[] {
    const whole = readWholeFile(this.#path, longestObject);
    if (!whole.ok) return [];
    if (whole.value === undefined) return [{ outcome: "unknown", type: "oversized" }];
    const parsed = parseJsonLine(whole.value);
    return parsed.kind === "value" ? [this.#chat.readRow(parsed.value)] : [];
  }
}
