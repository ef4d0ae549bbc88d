import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { SessionFinder } from "../../../../../src/engine/transcripts/codex/live/codex-session-finder.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";
import { idAt, meta } from "../rollout-rows.ts";

const [root, child, grandchild, fork] = [idAt(0), idAt(1), idAt(2), idAt(3)];
const name = (id: string) => `rollout-2026-11-02T09-00-00-${id}.jsonl`;
const day = "sessions/2026/11/02";
const line = (fields: object) => `${meta(0, fields)}\n`;
const spawned = (parent: string) => ({
  source: { subagent: { thread_spawn: { parent_thread_id: parent } } },
});

function finderOf(test: TestContext, tree: Record<string, string>) {
  const home = scratchFolder(test);
  writeTree(home, tree);
  const locked = new Set<string>();
  const roots = [path.join(home, "sessions"), path.join(home, "archived_sessions")];
  const finder = new SessionFinder(roots, () => locked);
  /** Each rollout's thread, session and subagent, by the thread. */
  const found = (since = 0) =>
    finder
      .find(since)
      .files.filter(({ kind }) => kind === "lines")
      .map(({ path: file, sessionId, agentId }) => [path.basename(file).slice(-41, -6), sessionId, agentId])
      .toSorted();
  return { home, finder, locked, found };
}

const short = (id: string) => id.slice(-35);

describe("Codex's live sessions", () => {
  it("are the rollouts that may grow; subagents' belong to the session of the person", (test) => {
    const { found } = finderOf(test, {
      [`${day}/${name(root)}`]: line({ id: root, session_id: root }),
      [`${day}/${name(child)}`]: line({ id: child, session_id: root, ...spawned(root) }),
      [`sessions/2026/11/03/${name(grandchild)}`]: line({
        id: grandchild,
        session_id: root,
        ...spawned(child),
      }),
      [`${day}/${name(fork)}`]: line({ id: fork, session_id: fork, forked_from_id: root }),
      [`${day}/${name(idAt(7))}.zst`]: "",
      [`archived_sessions/${name(idAt(8))}`]: line({ id: idAt(8) }),
      [`${day}/notes.jsonl`]: "",
    });
    assert.deepEqual(found(), [
      [short(root), root, null],
      [short(child), root, child],
      [short(grandchild), root, grandchild],
      [short(fork), fork, null],
    ]);
  });

  it("find the root through the parents where versions do not name it, and stop at circles", (test) => {
    const { found } = finderOf(test, {
      [`${day}/${name(root)}`]: line({ id: root }),
      [`${day}/${name(child)}`]: line({ id: child, ...spawned(root) }),
      [`${day}/${name(grandchild)}`]: line({ id: grandchild, ...spawned(child) }),
      [`${day}/${name(fork)}`]: line({ id: fork, ...spawned(fork) }),
      [`${day}/${name(idAt(5))}`]: line({ id: idAt(5), ...spawned(idAt(6)) }),
      [`${day}/${name(idAt(6))}`]: line({ id: idAt(6), ...spawned(idAt(5)) }),
      [`${day}/${name(idAt(7))}`]: line({ id: idAt(7), source: { subagent: "review" } }),
    });
    assert.deepEqual(
      found().map(([, session, agent]) => [session, agent]),
      [
        [root, null],
        [root, child],
        [root, grandchild],
        [fork, null],
        [idAt(5), null],
        [idAt(6), null],
        [idAt(7), null],
      ],
    );
  });

  it("are not reported before their first line is written, and are not opened when they are old", (test) => {
    const { home, found } = finderOf(test, {
      [`${day}/${name(child)}`]: line({ id: child, ...spawned(root) }).slice(0, 60),
    });
    const file = path.join(home, day, name(child));
    assert.deepEqual(found(), []);
    assert.deepEqual(found(statSync(file).mtimeMs + 1), [[short(child), child, null]]);
    appendFileSync(file, line({ id: child, ...spawned(root) }).slice(60));
    assert.deepEqual(found(), [[short(child), root, child]]);
    utimesSync(file, 0, 0);
    assert.deepEqual(found(1), [[short(child), root, child]]);
    writeFileSync(path.join(home, day, name(fork)), "no row\n");
    assert.deepEqual(found()[1], [short(fork), fork, null]);
  });

  it("are running while a process has them open", (test) => {
    const { home, finder, locked } = finderOf(test, {
      [`${day}/${name(root)}`]: line({ id: root }),
      [`${day}/${name(child)}`]: line({ id: child, ...spawned(root) }),
      [`thread-writer-locks/${child}.lock`]: "",
      [`thread-writer-locks/${fork}.lock`]: "",
      "thread-writer-locks/.coordination.lock": "",
    });
    const lock = (id: string) => String(statSync(path.join(home, "thread-writer-locks", id)).ino);
    const running = () => [...finder.find(0).running];
    locked.add(lock(".coordination.lock"));
    assert.deepEqual(running(), []);
    locked.add(lock(`${child}.lock`));
    assert.deepEqual(running(), [root]);
    locked.clear();
    locked.add(lock(`${fork}.lock`));
    assert.deepEqual(running(), [fork]);
  });

  it("have the names that people gave them", (test) => {
    const { home, finder } = finderOf(test, {
      [`${day}/${name(root)}`]: line({ id: root }),
      [`${day}/${name(child)}`]: line({ id: child, ...spawned(root) }),
    });
    const [aside, ...others] = finder.find(0).files.filter(({ kind }) => kind === "whole");
    assert.ok(aside?.kind === "whole" && aside.isAside && others.length === 0);
    assert.deepEqual([aside.sessionId, aside.agentId], [root, null]);
    const reader = aside.open();
    assert.equal(reader.stats(), undefined);
    assert.deepEqual(reader.read(), []);
    const index = path.join(home, "session_index.jsonl");
    const named = (id: string, title: string) => `${JSON.stringify({ id, thread_name: title })}\n`;
    writeFileSync(index, `${named(root, "Boats")}no row\n${named(fork, "Other")}`);
    const events = () => reader.read().flatMap((each) => (each.outcome === "known" ? each.events : []));
    assert.deepEqual(events(), [{ kind: "title", title: "Boats" }]);
    appendFileSync(index, named(root, "Harbor"));
    assert.deepEqual(events(), [{ kind: "title", title: "Harbor" }]);
  });

  it("are found by watching few folders, none of them deep", (test) => {
    const { home, finder } = finderOf(test, {
      [`sessions/2025/12/31/${name(fork)}`]: line({ id: fork }),
      [`${day}/${name(root)}`]: line({ id: root }),
      [`sessions/2026/10/30/${name(child)}`]: line({ id: child }),
      "sessions/2026/notes/x": "",
    });
    const recent = finder.find(0).files.filter(({ sessionId }) => sessionId === child);
    const folders = [...finder.folders([{ id: child, files: recent }])].map((each) =>
      path.relative(home, each),
    );
    assert.deepEqual(folders.map((each) => each.replaceAll(path.sep, "/")).toSorted(), [
      "",
      "sessions",
      "sessions/2026",
      "sessions/2026/10/30",
      "sessions/2026/11",
      day,
      "thread-writer-locks",
    ]);
    assert.equal([...finder.folders([])].length, 6);
  });

  it("are affected by few of the changed paths", (test) => {
    const { home, finder } = finderOf(test, {});
    const matters = (file: string) => finder.matters(path.join(home, file));
    for (const file of [
      "sessions",
      "sessions/2026",
      "sessions/2026/12",
      `${day}/${name(root)}`,
      "thread-writer-locks",
      `thread-writer-locks/${root}.lock`,
    ])
      assert.ok(matters(file), file);
    for (const file of [
      "config.toml",
      "state_5.sqlite-wal",
      "thread-writer-locks/.coordination.lock",
      `${day}/${name(root)}.zst`,
      `archived_sessions/${name(root)}`,
      "sessions-old/2026",
    ])
      assert.ok(!matters(file), file);
  });

  it("are empty without files", (test) => {
    const { finder, home } = finderOf(test, {});
    assert.deepEqual(finder.find(0), { files: [], running: new Set(), problems: [] });
    mkdirSync(path.join(home, "sessions"));
    assert.deepEqual(finder.find(0).files, []);
  });
});
