import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pickRecent } from "../../../../src/engine/context/sessions/recent.ts";
import type { TranscriptFile } from "../../../../src/engine/transcripts/claude/files.ts";

const now = Date.UTC(2026, 10, 10);
const minute = 60_000;
const day = 24 * 60 * minute;

function file(sessionId: string, ago: number, agentId: string | null = null): TranscriptFile {
  const name = agentId === null ? `${sessionId}.jsonl` : `${sessionId}/subagents/agent-${agentId}.jsonl`;
  return { path: `/root/projects/p/${name}`, sessionId, agentId, size: 1, mtimeMs: now - ago };
}

function picked(files: readonly TranscriptFile[], ...running: readonly string[]): string[] {
  return pickRecent(files, { now, running: new Set(running) }).map(({ id }) => id);
}

describe("recent sessions", () => {
  it("come most recently changed first, by the youngest of their files", () => {
    const files = [file("old", 3 * day), file("new", minute), file("busy", 2 * day), file("busy", 0, "a1")];
    assert.deepEqual(picked(files), ["busy", "new", "old"]);
  });

  it("have their main file before their subagents'", () => {
    const [session] = pickRecent([file("s", 1, "a1"), file("s", 2), file("s", 0, "a2")], {
      now,
      running: new Set(),
    });
    assert.deepEqual(
      session?.files.map(({ agentId }) => agentId),
      [null, "a1", "a2"],
    );
    assert.equal(session.changedAt, now);
  });

  it("are of the last week, unless they have a process", () => {
    const files = [file("older", 7 * day), file("younger", 7 * day - 1)];
    assert.deepEqual(picked(files), ["younger"]);
    assert.deepEqual(picked(files, "older"), ["younger", "older"]);
    assert.deepEqual(picked(files, "unheard-of"), ["younger"]);
  });

  it("are forty at most, and those with a process besides", () => {
    const files = Array.from({ length: 60 }, (_, index) => file(`s${index}`, index * minute));
    assert.equal(picked(files).length, 40);
    assert.deepEqual(picked(files, "s59", "s3").slice(39), ["s39", "s59"]);
  });
});
