import { fstatSync, writeSync } from "node:fs";
import { errorCode } from "../base/result.ts";
import type { CliHost, Output } from "./cli-ports.ts";

export interface NodeOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array): boolean;
  once(event: "drain", listener: () => void): unknown;
  on(event: "resize", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Drops further output when its reader has gone, as `head` does; the command completes its work. Opens Node's stream only if needed, such as for a
 * terminal: that takes longer than a short answer. Writes to files and pipes at once, as Node does.
 */
export class StandardOutput implements Output {
  readonly #descriptor: number;
  readonly #open: () => NodeOutput;
  readonly #isPlain: boolean;
  readonly #closed = new AbortController();
  #stream: NodeOutput | undefined;

  constructor(descriptor: number, open: () => NodeOutput, platform: NodeJS.Platform) {
    this.#descriptor = descriptor;
    this.#open = open;
    this.#isPlain = platform !== "win32" && isFileOrPipe(descriptor);
  }

  get isTTY(): boolean {
    return !this.#isPlain && this.#opened().isTTY === true;
  }

  get columns(): number | undefined {
    return this.#isPlain ? undefined : this.#opened().columns;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  onResize(listener: () => void): void {
    if (!this.#isPlain) this.#opened().on("resize", listener);
  }

  write(text: string | Uint8Array): boolean {
    if (this.closed.aborted) return true;
    const rest = this.#isPlain && this.#stream === undefined ? this.#writeNow(text) : text;
    return rest.length === 0 || this.#opened().write(rest);
  }

  once(event: "drain", listener: () => void): void {
    this.#opened().once(event, listener);
  }

  /** Returns what could not be written without waiting. */
  #writeNow(text: string | Uint8Array): Uint8Array {
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#descriptor, rest));
    } catch (error) {
      const code = errorCode(error);
      // The pipe is full, and its creator does not want writers to wait.
      if (code !== "EAGAIN") {
        this.#fail(code);
        return Buffer.alloc(0);
      }
    }
    return rest;
  }

  #opened(): NodeOutput {
    if (this.#stream === undefined) {
      this.#stream = this.#open();
      this.#stream.on("error", (error) => this.#fail(errorCode(error)));
    }
    return this.#stream;
  }

  #fail(code: string): void {
    if (code === "EPIPE") {
      this.#closed.abort();
      return;
    }
    if (this.#descriptor === 1) process.stderr.write(`purser: the output could not be written: ${code}\n`);
    process.exit(1);
  }
}

/** Aborted when a command that only prints may end: on an interruption, or once the reader is gone. */
export function printingSignal({ signal, stdout }: Pick<CliHost, "signal" | "stdout">): AbortSignal {
  return stdout.closed === undefined ? signal : AbortSignal.any([signal, stdout.closed]);
}

function isFileOrPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    return false; // closed: Node's stream ignores what is written
  }
}
