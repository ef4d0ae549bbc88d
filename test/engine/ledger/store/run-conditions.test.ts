import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import type { Row } from "../../sessions/support/rows.ts";
import { entriesOf, mainFile, rowsOf, sessionId } from "../collect/claude/lines.ts";
import { asked, said } from "../collect/claude/rows.ts";
import { appendEntries, open } from "../support/support.ts";

const setting = (agent: unknown, session = sessionId): Row => ({
  type: "agent-setting",
  agentSetting: agent,
  sessionId: session,
});
const work = [asked(0), said(1, { id: "a", input: 1000 }), asked(10), said(11, { id: "b", input: 2000 })];
const limits = { since: null, until: null };

test("A session of a named agent counts as that agent's, wherever its row is, and however the file is cut", async (t) => {
  for (const at of [0, 1, 4])
    for (const cut of [0, 1, 2, 3, 4]) {
      const lines = work.toSpliced(at, 0, setting("reviewer"));
      const entries = entriesOf(lines, mainFile, new Set([cut]));
      const ledger = await open(t, scratchFolder(t));
      await appendEntries(ledger, ...entries);
      const [row, ...others] = ledger.ask("usage", { ...limits, by: "subagent" }).rows;
      assert.deepEqual([row?.key, row?.usage.input, others.length], ["reviewer", 3000, 0]);
      const [last] = ledger.ask("realRuns", { most: 10, project: null }).slice(-1);
      assert.equal(last?.agent, "reviewer", `${at} ${cut}`);
      const [spent] = ledger.ask("takeSpent", 0);
      assert.deepEqual(
        spent?.spent.map(({ agentId, type, tokens }) => [agentId, type, tokens]),
        [["main", "reviewer", 3020]],
      );
      assert.equal(ledger.ask("recentWork", 10).length, 1, "its runs are the main conversation's");
      assert.deepEqual(ledger.ask("sessionPage", sessionId)?.subagents, []);
    }
});

test("No other row names an agent", () => {
  for (const line of [setting(null), setting(""), setting(7), setting("reviewer", "another-session")]) {
    const entries = entriesOf([...work, line]);
    assert.deepEqual(rowsOf(entries, "subagent"), []);
    assert.deepEqual(new Set(rowsOf(entries, "run").map(({ agent }) => agent)), new Set(["main"]));
  }
});

test("A teammate counts under its type, even where its rows have its name", (t) => {
  const folder = scratchFolder(t);
  const meta = { agentType: "anna", spawnedAgentType: "Explore", teamName: "harbor" };
  writeTree(folder, { "agent-aanna-1.meta.json": JSON.stringify(meta) });
  const file = { path: path.join(folder, "agent-aanna-1.jsonl"), sessionId, agentId: "aanna-1" };
  for (const fields of [{ isSidechain: true }, { isSidechain: true, attributionAgent: "anna" }]) {
    const entries = entriesOf([asked(0, "Go", fields), said(1, { id: "a", fields })], file, new Set([0, 1]));
    assert.deepEqual(
      rowsOf(entries, "run").map(({ agent }) => agent),
      ["Explore"],
    );
    const [subagent] = rowsOf(entries, "subagent");
    assert.deepEqual([subagent?.["type"], subagent?.["description"]], ["Explore", "anna"]);
  }
});
