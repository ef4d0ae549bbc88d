import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, it, type TestContext } from "node:test";
import { loadSourceFinder } from "../../../../src/engine/ledger/collect/find-sources.ts";
import { Collector } from "../../../../src/engine/ledger/collect/collector.ts";
import { SourceWatcher } from "../../../../src/engine/ledger/collect/source-watcher.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { writeTree } from "../../support/write-tree.ts";
import * as codex from "../../transcripts/codex/rollout-rows.ts";
import { homesIn, noPositions, responseLines } from "./support.ts";

const sourceFinder = await loadSourceFinder();

const rolloutOf = (second: number) => {
  const id = codex.idAt(second);
  const lines = [codex.meta(second, { id }), codex.response(second, id, `r${second}`, codex.vector(9, 0, 1))];
  return { name: `rollout-2026-11-02T09-00-00-${id}.jsonl`, text: `${lines.join("\n")}\n` };
};

/** Follows the files below a folder, and records the entries. */
async function keepUpWith(t: TestContext, folder: string) {
  const entries: LedgerEntry[] = [];
  const problems: string[] = [];
  let [finds, appends] = [0, 0];
  const finder = sourceFinder(homesIn(folder));
  const onProblem = (problem: string) => problems.push(problem);
  const keepUp = new SourceWatcher({
    find: () => {
      finds += 1;
      return finder.find();
    },
    onProblem,
  });
  t.after(() => keepUp.dispose());
  const collector = new Collector({
    find: () => keepUp.find(),
    append: (some) => {
      entries.push(...some);
      appends += 1;
      return Promise.resolve({ ok: true, value: { last: 0 } });
    },
    positions: noPositions,
    clock: { now: () => 1 },
    onFreshness: () => undefined,
    onProblem,
  });
  keepUp.start(collector);
  await waitUntil(() => collector.freshness.asOf !== null);
  return {
    finds: () => finds,
    appends: () => appends,
    problems,
    responses: () =>
      new Set(entries.flatMap((entry) => (entry.kind === "response" ? [entry.messageId] : []))),
  };
}

describe("following files", () => {
  it("notices an agent's first session, a new day, and growth", async (t) => {
    const folder = scratchFolder(t);
    mkdirSync(path.join(folder, "codex"));
    const kept = await keepUpWith(t, folder);
    const [first, second] = [rolloutOf(1), rolloutOf(2)];
    writeTree(path.join(folder, "codex", "sessions", "2026", "11", "02"), { [first.name]: first.text });
    await waitUntil(() => kept.responses().size === 1);
    writeTree(path.join(folder, "codex", "sessions", "2026", "11", "03"), { [second.name]: second.text });
    await waitUntil(() => kept.responses().size === 2);
    const more = codex.response(9, codex.idAt(2), "r9", codex.vector(9, 0, 1));
    appendFileSync(path.join(folder, "codex", "sessions", "2026", "11", "03", second.name), `${more}\n`);
    await waitUntil(() => kept.responses().has("codex r9"));
    assert.deepEqual(kept.problems, []);
  });

  it("pauses for a file that becomes entries as a whole, and misses nothing", async (t) => {
    const folder = scratchFolder(t);
    const { name, text } = rolloutOf(1);
    const file = path.join(folder, "codex", "sessions", "2026", "11", "02", name);
    writeTree(path.dirname(file), { [name]: text });
    const kept = await keepUpWith(t, folder);
    const [before, began] = [kept.appends(), performance.now()];
    for (let second = 2; second < 22; second += 1) {
      appendFileSync(
        file,
        `${codex.response(second, codex.idAt(1), `r${second}`, codex.vector(9, 0, second))}\n`,
      );
      await pause(100);
    }
    await waitUntil(() => kept.responses().size === 21);
    const [times, seconds] = [kept.appends() - before, (performance.now() - began) / 1000];
    assert.ok(times <= 2 + seconds / 5, `collected ${times} times in ${seconds} seconds`);
  });

  it("notices a subagent's first rows", async (t) => {
    const folder = scratchFolder(t);
    const project = path.join(folder, "claude", "projects", "-work-project");
    writeTree(project, { "session-1.jsonl": responseLines(0, 1) });
    const kept = await keepUpWith(t, folder);
    writeTree(path.join(project, "session-1", "subagents"), { "agent-a1.jsonl": responseLines(1, 2) });
    await waitUntil(() => kept.responses().size === 2);
  });

  it("ignores other changes beside the transcripts", async (t) => {
    const folder = scratchFolder(t);
    writeTree(path.join(folder, "claude"), { "projects/-work-project/session-1.jsonl": responseLines(0, 1) });
    const kept = await keepUpWith(t, folder);
    const before = kept.finds();
    writeFileSync(path.join(folder, "claude", "history.jsonl"), "{}\n");
    writeFileSync(path.join(folder, "notes.txt"), "");
    await pause(600);
    assert.equal(kept.finds(), before);
  });
});
