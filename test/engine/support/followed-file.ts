import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { FileTail, type TailPoll, type TailPosition } from "../../../src/engine/transcripts/file-tail.ts";
import { scratchFolder } from "./scratch.ts";

/** A tail that records its callbacks since the file last started over. Bytes are stored as Latin-1. */
export class FollowedFile {
  lines: string[] = [];
  oversized = 0;
  restarts = 0;
  readonly #tail: FileTail;

  constructor(file: string, position: TailPosition | null = null) {
    const listener = {
      onRestart: () => {
        this.restarts += 1;
        this.lines = [];
        this.oversized = 0;
      },
      onLine: (line: Buffer) => this.lines.push(line.toString("latin1")) > 0,
      onOversized: () => (this.oversized += 1),
    };
    this.#tail = new FileTail(file, listener, position);
  }

  get place(): TailPosition {
    return this.#tail.place;
  }

  poll(budget = 1024 * 1024): TailPoll {
    return this.#tail.poll(budget);
  }

  /** Polls until there is no more; returns the number of polls. */
  drain(budget = 1024 * 1024): number {
    for (let polls = 1; polls < 100_000; polls += 1) if (!this.poll(budget).more) return polls;
    return assert.fail("there is always more");
  }
}

/** A transcript in its own folder, and the tail that follows it. Without content there is no file yet. */
export function followFile(
  t: Pick<TestContext, "after">,
  content?: string,
): { filePath: string; file: FollowedFile } {
  const file = path.join(scratchFolder(t), "session.jsonl");
  if (content !== undefined) writeFileSync(file, content);
  return { filePath: file, file: new FollowedFile(file) };
}
