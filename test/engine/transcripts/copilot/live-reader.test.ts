import assert from "node:assert/strict";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { SessionFinder, WorkspaceFile } from "../../../../src/engine/transcripts/copilot/live-reader.ts";
import { SessionState } from "../../../../src/engine/transcripts/copilot/live/compaction-rows.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";
import { began } from "./event-rows.ts";

const isAlive = (pid: number) => pid === 42;

describe("the finder of Copilot's sessions", () => {
  it("finds each session with its title, and those with a live process", (t) => {
    const root = scratchFolder(t);
    writeTree(path.join(root, "session-state"), {
      "s1/events.jsonl": `${began}\n`,
      "s1/inuse.42.lock": "42",
      "s2/events.jsonl": `${began}\n`,
      "s2/inuse.41.lock": "41",
      "s2/inuse.lock": "42",
      "s3/inuse.42.lock": "42",
      "s3/workspace.yaml": "id: s3",
      "s4/checkpoints/events.jsonl": "",
      ".session-operation-locks/s1.lock": "42",
    });
    const finder = new SessionFinder([root], isAlive);
    const { files, running, problems } = finder.find(0);
    const names = files.map(({ path: file, kind }) => `${path.relative(root, file)} ${kind}`);
    assert.deepEqual(
      names.map((name) => name.replaceAll(path.sep, "/")),
      [
        "session-state/s1/events.jsonl lines",
        "session-state/s1/workspace.yaml whole",
        "session-state/s2/events.jsonl lines",
        "session-state/s2/workspace.yaml whole",
      ],
    );
    assert.deepEqual([[...running], problems], [["s1", "s3"], []]);
    const recent = [{ id: "s1", files: files.slice(0, 2) }];
    const folders = [...finder.folders(recent)].map((folder) => path.relative(root, folder)).sort();
    const below = (name: string) => path.join("session-state", name);
    assert.deepEqual(folders, ["", "session-state", below("s1"), below("s3"), below("s4")]);
  });

  it("opens only the rows of old sessions", (t) => {
    const root = scratchFolder(t);
    writeTree(path.join(root, "session-state"), { "s1/events.jsonl": "", "s1/workspace.yaml": "" });
    utimesSync(path.join(root, "session-state", "s1", "events.jsonl"), 1, 1);
    assert.equal(new SessionFinder([root], isAlive).find(2000).files.length, 1);
  });

  it("offers the store of versions whose events have no usage, never as the latest change", (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "session-state/s1/events.jsonl": "", "session-store.db": "" });
    utimesSync(path.join(root, "session-state", "s1", "events.jsonl"), 1, 1);
    const stored = new SessionFinder([root], isAlive).find(0).files.at(-1);
    assert.equal(path.basename(stored?.path ?? ""), "session-store.db");
    assert.equal(stored?.mtimeMs, 1000);
  });

  it("finds nothing without a root, and reports what it cannot read", (t) => {
    assert.deepEqual(new SessionFinder([], isAlive).find(0).files, []);
    const root = scratchFolder(t);
    const finder = new SessionFinder([root], isAlive);
    assert.deepEqual(finder.find(0).problems, []);
    mkdirSync(path.join(root, "session-state"));
    writeFileSync(path.join(root, "session-state", "s1"), "a file");
    assert.deepEqual(finder.find(0).files, []);
    assert.ok(![...finder.folders([])].includes(path.join(root, "session-state", "s1")));
    rmSync(path.join(root, "session-state"), { recursive: true });
    assert.deepEqual(finder.find(0).problems, []);
  });

  it("searches again when a session, its first rows or a lock appears, not at other changes", () => {
    const finder = new SessionFinder(["/home/dev/.copilot"], isAlive);
    const matters = (name: string) => finder.matters(path.join("/home/dev/.copilot", ...name.split("/")));
    const those = ["session-state", "session-state/s1", "session-state/s1/events.jsonl"];
    for (const name of [...those, "session-state/s1/inuse.7.lock"]) assert.ok(matters(name), name);
    const others = ["session-store.db-wal", "logs", "session-state/.session-operation-locks/s1.lock"];
    for (const name of [...others, "session-state/s1/checkpoints/index.md", "session-state/s1/inuse.7.hold"])
      assert.ok(!matters(name), name);
    assert.ok(!finder.matters(path.join("/home/dev", "session-state")));
  });
});

describe("a session's workspace file", () => {
  const read = (text: string, state = new SessionState()) => {
    let file = "";
    return (t: Parameters<typeof scratchFolder>[0]) => {
      file = path.join(scratchFolder(t), "workspace.yaml");
      writeFileSync(file, text);
      return new WorkspaceFile(file, state)
        .read()
        .flatMap((reading) => (reading.outcome === "known" ? reading.events : []));
    };
  };

  it("has the title and, while the agent still works there, the branch", (t) => {
    const text = 'cwd: /home/dev/harbor\nbranch: main\nname: "Count: the boats"\nuser_named: false\n';
    assert.deepEqual(read(text)(t), [
      { kind: "title", title: "Count: the boats" },
      { kind: "place", cwd: "/home/dev/harbor", branch: "main" },
    ]);
    const elsewhere = new SessionState();
    elsewhere.cwd = "/home/dev/pier";
    assert.equal(read(text, elsewhere)(t).length, 1);
  });

  it("never throws, whatever it contains", (t) => {
    const file = path.join(scratchFolder(t), "workspace.yaml");
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom("a: &a [*a, *a]", "name: [", "- 1", "name: !!binary x", "name: {}\ncwd: 7", "\u0000"),
    );
    fc.assert(
      fc.property(odd, (text) => {
        writeFileSync(file, text);
        const facts = new WorkspaceFile(file, new SessionState()).read();
        assert.ok(facts.length <= 1);
      }),
    );
    rmSync(file);
    assert.deepEqual(new WorkspaceFile(file, new SessionState()).read(), []);
  });
});
