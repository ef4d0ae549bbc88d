import assert from "node:assert/strict";
import path from "node:path";
import { describe, it } from "node:test";
import { readSubagentMeta } from "../../../../src/engine/transcripts/claude/subagent-meta.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

const nothing = { type: null, description: null, finished: null, name: null };

/** Reads a meta file with this text, located through the transcript beside it. */
function read(t: Parameters<typeof scratchFolder>[0], text: string) {
  const folder = scratchFolder(t);
  writeTree(folder, { "agent-a1.meta.json": text });
  return readSubagentMeta(path.join(folder, "agent-a1.jsonl"));
}

describe("the file beside a subagent's transcript", () => {
  it("yields the facts that the newer generation writes", (t) => {
    const meta = {
      agentType: "Explore",
      isBuiltIn: true,
      description: "Find it",
      spawnDepth: 1,
      finished: true,
    };
    assert.deepEqual(read(t, JSON.stringify(meta)), {
      type: "Explore",
      description: "Find it",
      finished: true,
      name: null,
    });
  });

  it("has a teammate's name separate from its type", (t) => {
    const meta = {
      agentType: "anna",
      spawnedAgentType: "Explore",
      taskKind: "in_process_teammate",
      teamName: "harbor",
    };
    const known = { type: "Explore", finished: null, name: "anna" };
    assert.deepEqual(read(t, JSON.stringify(meta)), { ...known, description: "anna" });
    assert.deepEqual(read(t, JSON.stringify({ ...meta, description: "Find it" })), {
      ...known,
      description: "anna: Find it",
    });
    for (const spawnedAgentType of ["", null, 7]) {
      const { type, name } = read(t, JSON.stringify({ ...meta, spawnedAgentType }));
      assert.deepEqual([type, name], ["anna", null]);
    }
  });

  it("yields the facts that the older generation writes", (t) => {
    const meta = {
      agentType: "general-purpose",
      description: "Find it",
      toolUseId: "toolu_1",
      spawnDepth: 1,
    };
    const expected = { ...nothing, type: "general-purpose", description: "Find it" };
    assert.deepEqual(read(t, JSON.stringify(meta)), expected);
  });

  it("yields the other facts when one has another type", (t) => {
    const meta = { agentType: 7, description: null, finished: "yes", more: {} };
    assert.deepEqual(read(t, JSON.stringify(meta)), nothing);
    assert.deepEqual(read(t, '{"finished":false}'), { ...nothing, finished: false });
  });

  it("yields nothing when it is half-written, foreign or missing", (t) => {
    for (const text of ["", '{"agentType":"Expl', "null", "[]", '"x"', "\0\0\0"])
      assert.deepEqual(read(t, text), nothing);
    assert.deepEqual(readSubagentMeta(path.join(scratchFolder(t), "agent-a1.jsonl")), nothing);
  });

  it("yields nothing, at once, when it is a FIFO or a folder", { timeout: 60_000 }, (t) => {
    const folder = scratchFolder(t);
    writeTree(folder, { "agent-a1.meta.json/x": "" });
    assert.deepEqual(readSubagentMeta(path.join(folder, "agent-a1.jsonl")), nothing);
    makeFifo(t, path.join(folder, "agent-a2.meta.json"));
    assert.deepEqual(readSubagentMeta(path.join(folder, "agent-a2.jsonl")), nothing);
  });
});
