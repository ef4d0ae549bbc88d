import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { SessionRoot } from "../../../../src/engine/transcripts/agents.ts";
import { openLedgerThread } from "../../../../src/engine/ledger/ledger-thread.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { writeTree } from "../../support/write-tree.ts";
import * as codex from "../../transcripts/codex/rollout-rows.ts";
import { WrittenChat } from "../../transcripts/vscode-chat/written-chat.ts";
import { open, wasmPath } from "../support/support.ts";
import { collectInto, homesIn, responseLines } from "./support.ts";

const worker = new URL("../../../../src/engine/ledger/thread/ledger-worker.ts", import.meta.url);

/** A chat of a window without a folder, with one request of 1,010 tokens. Returns its file. */
function writeChat(user: string, id: string): string {
  const file = path.join(user, "globalStorage", "emptyWindowChatSessions", `${id}.jsonl`);
  new WrittenChat(file).send({ id: "r1" }).report("r1", 1000, 10).end("r1", 2000).flush(5000);
  return file;
}

/** Sessions of three agents in their usual folders, and a `User` folder elsewhere. */
function homesWithSessions(t: TestContext): { folder: string; moved: SessionRoot } {
  const folder = scratchFolder(t);
  const id = codex.idAt(1);
  const rollout = [codex.meta(1, { id }), codex.response(1, id, "r1", codex.vector(9, 0, 1))];
  writeTree(folder, {
    "claude/projects/-work-project/session-1.jsonl": responseLines(0, 2),
    [`codex/sessions/2026/11/02/rollout-2026-11-02T09-00-00-${id}.jsonl`]: `${rollout.join("\n")}\n`,
  });
  writeChat(path.join(folder, ".vscode-server", "data", "User"), "usual");
  return { folder, moved: { agent: "vscode-chat", path: path.join(scratchFolder(t), "data", "User") } };
}

describe("a folder with sessions that is added later", () => {
  it("is collected at once and from then on, and counts once when it is added again", async (t) => {
    const { folder, moved } = homesWithSessions(t);
    writeChat(moved.path, "first");
    const opened = await openLedgerThread({ folder: scratchFolder(t), wasmPath, models: {} }, worker);
    assert.ok(opened.ok);
    const ledger = opened.value;
    t.after(() => ledger.close());
    const problems: string[] = [];
    const collecting = ledger.collect(homesIn(folder), (problem) => problems.push(problem));
    t.after(() => collecting.dispose());
    await collecting.catchUp();
    const counted = async () => {
      const { rows } = await ledger.ask("usage", { by: "agent", since: null, until: null });
      return Object.fromEntries(rows.map(({ key, responses }) => [key, responses]));
    };
    const usual = { "claude-code": 2, codex: 1 };
    assert.deepEqual(await counted(), { ...usual, "vscode-chat": 1 });
    let appended = 0;
    ledger.onAppend(() => (appended += 1));
    // The next pass over all files is much later.
    const appendsAfter = async (change: () => void) => {
      appended = 0;
      change();
      await waitUntil(() => appended > 0);
    };
    await appendsAfter(() => collecting.addRoots([moved]));
    await collecting.catchUp();
    assert.deepEqual(await counted(), { ...usual, "vscode-chat": 2 });
    await appendsAfter(() => writeChat(moved.path, "second"));
    await collecting.catchUp();
    assert.deepEqual(await counted(), { ...usual, "vscode-chat": 3 });
    collecting.addRoots([moved]);
    await collecting.catchUp();
    assert.deepEqual(await counted(), { ...usual, "vscode-chat": 3 });
    assert.deepEqual([problems, collecting.freshness.problems], [[], []]);
  });

  it("is collected from the first pass on if it is part of the task", async (t) => {
    const { folder, moved } = homesWithSessions(t);
    const chat = writeChat(moved.path, "first");
    const { collector, opened } = collectInto(await open(t, scratchFolder(t)), folder, { roots: [moved] });
    await collector.catchUp();
    assert.ok(opened.includes(chat));
  });

  it("does not cause other files to be read again, and is not added twice under another name", async (t) => {
    const { folder, moved } = homesWithSessions(t);
    const chat = writeChat(moved.path, "first");
    const ledger = await open(t, scratchFolder(t));
    const { collector, finder, opened } = collectInto(ledger, folder);
    await collector.catchUp();
    assert.equal(opened.splice(0).length, 3);
    assert.equal(finder.add(moved), true);
    await collector.catchUp();
    assert.deepEqual(opened.splice(0), [chat]);
    const link = path.join(folder, "link");
    symlinkSync(moved.path, link, "junction");
    const usual = path.join(folder, ".vscode-server", "data", "User");
    for (const known of [moved.path, link, usual])
      assert.equal(finder.add({ agent: "vscode-chat", path: known }), false);
    await collector.catchUp();
    assert.deepEqual(opened, []);
    assert.equal(ledger.ask("usage", { by: "agent", since: null, until: null }).totals.responses, 5);
  });

  it("may be missing, or not a path at all", async (t) => {
    const { folder, moved } = homesWithSessions(t);
    const { collector, finder, problems } = collectInto(await open(t, scratchFolder(t)), folder);
    const bad = "/a\u0000b";
    for (const name of [moved.path, bad])
      assert.equal(finder.add({ agent: "vscode-chat", path: name }), true);
    const { problems: unread } = await collector.catchUp();
    assert.ok(unread.length > 0 && unread.every(({ path: place }) => place.startsWith(bad)));
    assert.deepEqual(problems, []);
  });
});
