import { FileTail, type TailState } from "../../transcripts/file-tail.ts";
import type { RowReading } from "../../transcripts/agent-session.ts";
import type { SessionFile, WholeReader } from "../../transcripts/live-reader.ts";

/** Bytes read from one file per pass, so that a file of several GB does not hold up the others. */
const budget = 8 * 1024 * 1024;

export interface SourceListener {
  /** The file starts over: discard the facts from its earlier content. */
  onRestart(): void;
  onReading(reading: RowReading): void;
  /** A line was too long to hold in memory, and was skipped. */
  onOversized(): void;
}

export interface FileSource {
  readonly file: SessionFile;
  readonly state: TailState;
  poll(): boolean;
}

export function openSource(
  file: SessionFile,
  listener: SourceListener,
  state: TailState = "reading",
): FileSource {
  return file.kind === "lines"
    ? new LineSource(file, listener, state)
    : new WholeSource(file, listener, state);
}

class LineSource implements FileSource {
  readonly file: SessionFile;
  state: TailState;
  readonly #tail: FileTail;

  constructor(file: Extract<SessionFile, { kind: "lines" }>, listener: SourceListener, state: TailState) {
    this.file = file;
    this.state = state;
    let rows = file.open();
    this.#tail = new FileTail(file.path, {
      onRestart() {
        rows = file.open();
        listener.onRestart();
      },
      onLine(line) {
        const reading = rows.read(line);
        listener.onReading(reading);
        return reading.outcome !== "malformed";
      },
      onOversized: () => listener.onOversized(),
    });
  }

  poll(): boolean {
    const { state, more } = this.#tail.poll(budget);
    this.state = state;
    return more;
  }
}

/** A missing file beside a session's rows does not discard its facts. */
class WholeSource implements FileSource {
  readonly file: SessionFile;
  state: TailState;
  readonly #reader: WholeReader;
  readonly #listener: SourceListener;
  #read: string | undefined;

  constructor(file: Extract<SessionFile, { kind: "whole" }>, listener: SourceListener, state: TailState) {
    this.file = file;
    this.state = state;
    this.#reader = file.open();
    this.#listener = listener;
  }

  poll(): boolean {
    const version = this.#version();
    if (version === undefined || version === this.#read) return false;
    this.#read = version;
    for (const reading of this.#reader.read()) this.#listener.onReading(reading);
    return false;
  }

  /** Undefined for a file that cannot be read. */
  #version(): string | undefined {
    try {
      const stats = this.#reader.stats();
      this.state = stats === undefined ? "gone" : "reading";
      return stats === undefined ? undefined : `${stats.size} ${stats.mtimeMs}`;
    } catch {
      this.state = "denied";
      return undefined;
    }
  }
}
