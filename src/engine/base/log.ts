import { appendFileSync, copyFileSync, statSync, truncateSync } from "node:fs";
import type { Clock } from "./timing.ts";
import { rethrowUnlessSystemError } from "./result.ts";
import { cleanText, cutMiddle } from "./text/text.ts";

export type LogLevel = "info" | "warn" | "error";

/** The service's log. Text from clients is data: it may be logged as it is. */
export interface ServiceLog {
  write(level: LogLevel, message: string): void;
}

/** A longer log starts over, and the previous one is stored beside it. Bytes. */
const fullSize = 1024 * 1024;
const maxMessageLength = 2000;

/** A log in a file, one cleaned line per message. Failed writes are dropped: a full disk must not end the service. */
export class FileLog implements ServiceLog {
  readonly #file: string;
  readonly #clock: Clock;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  write(level: LogLevel, message: string): void {
    const time = new Date(this.#clock.now()).toISOString();
    const text = cutMiddle(cleanText(message), maxMessageLength);
    try {
      rotateLog(this.#file);
      appendFileSync(this.#file, `${time} ${level.padEnd(5)} ${text}\n`, { mode: 0o600 });
    } catch (error) {
      rethrowUnlessSystemError(error);
    }
  }
}

/**
 * Rotates a log that is full. The file is emptied, not moved: the process's own output goes to it too, through a handle
 * that would move along.
 * @throws the system's error
 */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < fullSize) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
