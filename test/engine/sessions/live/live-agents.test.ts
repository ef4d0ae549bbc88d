import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pickRecent } from "../../../../src/engine/sessions/live/live-agents.ts";
import type { SessionFile } from "../../../../src/engine/transcripts/live-reader.ts";
import { claudeAgent, transcriptFile } from "../support/live-agent.ts";

const now = Date.UTC(2026, 10, 10);
const minute = 60_000;
const day = 24 * 60 * minute;

function file(sessionId: string, ago: number, agentId: string | null = null): SessionFile {
  const name = agentId === null ? `${sessionId}.jsonl` : `${sessionId}/subagents/agent-${agentId}.jsonl`;
  return transcriptFile(`/root/projects/p/${name}`, { sessionId, agentId, mtimeMs: now - ago });
}

function picked(files: readonly SessionFile[], ...running: readonly string[]): string[] {
  return pickRecent([{ agent: claudeAgent, files }], { now, running: new Set(running) }).map(({ id }) => id);
}

describe("recent sessions", () => {
  it("are sorted by their most recently changed file, latest first", () => {
    const files = [file("old", 3 * day), file("new", minute), file("busy", 2 * day), file("busy", 0, "a1")];
    assert.deepEqual(picked(files), ["busy", "new", "old"]);
  });

  it("have their main file before their subagents'", () => {
    const files = [file("s", 1, "a1"), file("s", 2), file("s", 0, "a2")];
    const [session] = pickRecent([{ agent: claudeAgent, files }], { now, running: new Set() });
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

  it("are at most forty, plus all with a process", () => {
    const files = Array.from({ length: 60 }, (_, index) => file(`s${index}`, index * minute));
    assert.equal(picked(files).length, 40);
    assert.deepEqual(picked(files, "s59", "s3").slice(39), ["s39", "s59"]);
  });
});
