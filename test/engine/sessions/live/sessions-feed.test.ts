import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { SessionFeed } from "../../../../src/engine/sessions/live/sessions-feed.ts";
import type { SessionReader } from "../../../../src/engine/sessions/live/reader.ts";
import { claudeRoots } from "../support/live-agent.ts";
import { at, lines, response, type Row } from "../support/rows.ts";
import { Scratch } from "../support/scratch.ts";
import { until } from "../support/until.ts";

const first = response({ id: "a", minute: 1, input: 50_000 });
const second = response({ id: "b", minute: 2, input: 60_000 });
const now = at(60);

/** The feed of one root, not started. Files are as young as the clock. */
function feedOf(test: TestContext) {
  const scratch = new Scratch(test);
  const alive = new Set<number>();
  const time = { now };
  const feed = new SessionFeed({
    roots: claudeRoots(scratch.path("root")),
    clock: { now: () => time.now },
    isAlive: (pid) => alive.has(pid),
  });
  test.after(() => feed.dispose());
  return {
    feed,
    scratch,
    alive,
    time,
    append: (name: string, rows: readonly Row[]) => {
      const file = scratch.append(`root/projects/${name}`, rows);
      utimesSync(file, now / 1000, now / 1000);
      return file;
    },
    /** The session, once its main file has that many turns. */
    turns: (id: string, turns: number): Promise<SessionReader> => {
      const isSo = () => feed.readers.get(id)?.account.main.occupancies.length === turns;
      const found = () => feed.readers.get(id) ?? assert.fail(id);
      return isSo() ? Promise.resolve(found()) : until(feed.onChange, isSo).then(found);
    },
  };
}

describe("a feed of sessions", () => {
  it("reads existing rows, then additions", async (test) => {
    const { feed, append, turns } = feedOf(test);
    append("p/s1.jsonl", [first]);
    const begun = until(feed.onChange, () => feed.complete);
    await feed.start();
    await begun;
    await turns("s1", 1);
    const changed = until(feed.onChange, (readers) => readers.length > 0);
    append("p/s1.jsonl", [second]);
    assert.deepEqual(
      (await changed).map(({ id }) => id),
      ["s1"],
    );
    assert.equal((await turns("s1", 2)).account.main.occupancy(), 60_000);
  });

  it("drops a session without changes for a week", async (test) => {
    const { feed, append, time } = feedOf(test);
    append("p/s1.jsonl", [first]);
    await feed.readOnce();
    assert.deepEqual([...feed.readers.keys()], ["s1"]);
    time.now += 8 * 24 * 3_600_000;
    await feed.readOnce();
    assert.deepEqual([...feed.readers.keys()], []);
  });

  it("is complete at once without files", async (test) => {
    const { feed } = feedOf(test);
    const begun = until(feed.onChange, (readers) => readers.length === 0);
    await feed.start();
    assert.ok(feed.complete || ((await begun).length === 0 && feed.complete));
    assert.deepEqual([feed.files, feed.problems], [0, []]);
  });

  it("finds a root, a project, a session and a subagent that appear later, one inside the other", async (test) => {
    const { feed, append, turns } = feedOf(test);
    await feed.start();
    append("p/s1.jsonl", [first]);
    await turns("s1", 1);
    append("p/s2.jsonl", [first]);
    await turns("s2", 1);
    append("q/s3.jsonl", [first, second]);
    const reader = await turns("s3", 2);
    const changed = until(feed.onChange, () => reader.account.subagents.size === 1);
    append("q/s3/subagents/agent-a1.jsonl", [first]);
    await changed;
    const grown = until(feed.onChange, () => reader.account.subagents.get("a1")?.chain.turns === 2);
    append("q/s3/subagents/agent-a1.jsonl", [second]);
    await grown;
    assert.equal(feed.files, 4);
  });

  it("finds them when the folders appear step by step", async (test) => {
    const { feed, scratch, append, turns } = feedOf(test);
    await feed.start();
    for (const folder of ["root", "root/projects", "root/projects/p"]) {
      mkdirSync(scratch.path(folder));
      await new Promise(setImmediate);
    }
    append("p/s1.jsonl", [first]);
    await turns("s1", 1);
  });

  it("notices truncation, replacement and deletion, and then rests", async (test) => {
    const { feed, scratch, append, turns } = feedOf(test);
    const file = append("p/s1.jsonl", [first, second]);
    append("p/s2.jsonl", [first]);
    await feed.start();
    await turns("s1", 2);
    writeFileSync(file, lines([first]));
    await turns("s1", 1);
    const third = response({ id: "c", minute: 3, input: 5 });
    renameSync(scratch.write("new", lines([first, second, third])), file);
    await turns("s1", 3);
    truncateSync(file, 0);
    await turns("s1", 0);
    append("p/s1.jsonl", [first]);
    const reader = await turns("s1", 1);
    rmSync(file);
    await turns("s1", 0);
    let changed = 0;
    const counting = feed.onChange((readers) => (changed += readers.filter(({ id }) => id === "s1").length));
    append("p/s2.jsonl", [second]);
    await turns("s2", 2);
    counting.dispose();
    assert.deepEqual([changed, reader.exists], [0, false], "a missing file is not read repeatedly");
  });

  it("notices which sessions have a process", async (test) => {
    const { feed, scratch, alive, append, turns } = feedOf(test);
    append("p/s1.jsonl", [first]);
    mkdirSync(scratch.path("root/sessions"));
    await feed.start();
    await turns("s1", 1);
    alive.add(77);
    scratch.write("root/sessions/77.json", JSON.stringify({ pid: 77, sessionId: "s9" }));
    append("p/s9.jsonl", [first]);
    await turns("s9", 1);
    assert.ok(feed.running.has("s9"));
    assert.ok(!feed.running.has("s1"));
  });

  it("ignores old sessions, unless they have a process", async (test) => {
    const { feed, scratch, alive } = feedOf(test);
    const old = (now - 8 * 24 * 60 * 60_000) / 1000;
    for (const id of ["old", "kept"]) {
      const file = scratch.append(`root/projects/p/${id}.jsonl`, [first]);
      utimesSync(file, old, old);
    }
    alive.add(78);
    scratch.write("root/sessions/78.json", JSON.stringify({ pid: 78, sessionId: "kept" }));
    await feed.readOnce();
    assert.deepEqual([...feed.readers.keys()], ["kept"]);
    assert.equal(feed.files, 2);
  });

  it("searches on request if no watch reported a change", async (test) => {
    const { feed, append, turns } = feedOf(test);
    append("p/s1.jsonl", [first]);
    await feed.readOnce();
    append("p/s1.jsonl", [second]);
    feed.poll(feed.readers.values());
    await turns("s1", 2);
  });

  it("reports nothing after it is disposed", async (test) => {
    const { feed, append, turns } = feedOf(test);
    append("p/s1.jsonl", [first]);
    await feed.start();
    const reader = await turns("s1", 1);
    append("p/s1.jsonl", [second]);
    feed.dispose();
    feed.dispose();
    await new Promise(setImmediate);
    assert.equal(reader.account.main.turns, 1);
  });
});
