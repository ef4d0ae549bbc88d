import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { nodeFiles } from "../../../../src/engine/base/disk/file-port.ts";
import {
  readCommentDocument,
  readTaskDocument,
  withHead,
} from "../../../../src/engine/recurring/tasks/head-and-text.ts";
import { FolderSource } from "../../../../src/engine/recurring/tasks/folder-source.ts";
import { taskStates } from "../../../../src/engine/recurring/tasks/task.ts";
import { scratchFolder } from "../../support/scratch.ts";

const at = Date.parse("2026-11-27T09:00:00Z");

function place(t: TestContext) {
  const project = scratchFolder(t);
  const folder = path.join(project, ".purser", "tasks");
  mkdirSync(folder, { recursive: true });
  const clock = { at };
  const source = new FolderSource(project, {
    files: nodeFiles,
    clock: { now: () => clock.at },
    unique: randomUUID,
  });
  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  return { source, write, folder, clock };
}

const text = `---
# The harbor's own tasks.
title: "Mend the light: now"
state: todo   # not begun
priority: high
assignee: keeper
blockedBy: [T2]
---
The light is out.
`;

describe("tasks in a folder", () => {
  it("are read with their comments in order, whoever wrote the files", async (t) => {
    const { source, write } = place(t);
    write("T1.md", text);
    write("comments/T1/20261127T080000Z-b.md", "---\nauthor: mira\nat: 2026-11-27T08:00:00Z\n---\nSecond.\n");
    write("comments/T1/by-hand.md", "---\nauthor: ada\nat: 2026-11-26\n---\nFirst.\n");
    write("comments/T1/broken.md", "no head");
    const read = await source.read("T1");
    assert.ok(read.ok);
    const { task, comments } = read.value;
    assert.deepEqual(
      [task.title, task.state, task.priority, task.assignee, task.blockedBy, task.description],
      ["Mend the light: now", "todo", "high", "keeper", ["T2"], "The light is out."],
    );
    assert.deepEqual(
      comments.map(({ author, text: said }) => [author, said.slice(0, 30)]),
      [
        ["ada", "First."],
        ["mira", "Second."],
        ["unknown", "(broken.md cannot be read: lin"],
      ],
    );
  });

  it("take comments and states without touching anything else of a file", async (t) => {
    const { source, write, folder, clock } = place(t);
    write("T1.md", text);
    const id = await source.comment("T1", { author: 'keeper: "x"', text: "Lit.\n---\nnot a head" });
    assert.ok(id.ok);
    clock.at += 60_000;
    assert.ok((await source.comment("T1", { author: "keeper", text: "Later." })).ok);
    assert.ok((await source.setState("T1", "in_review")).ok);
    assert.equal(
      readFileSync(path.join(folder, "T1.md"), "utf8"),
      text
        .replace("state: todo   # not begun", "state: in_review")
        .replace("---\nThe light", 'updated: "2026-11-27T09:01:00.000Z"\n---\nThe light'),
    );
    const read = await source.read("T1");
    assert.ok(read.ok);
    assert.deepEqual(
      read.value.comments.map(({ author, text: said }) => [author, said]),
      [
        ['keeper: "x"', "Lit.\n---\nnot a head"],
        ["keeper", "Later."],
      ],
    );
    const listed = await source.list();
    assert.ok(listed.ok);
    assert.deepEqual([listed.value.tasks[0]?.updatedAt, listed.value.problems], [at + 60_000, []]);
  });

  it("report an invalid file and line, and keep the others", async (t) => {
    const { source, write, folder } = place(t);
    write("T1.md", text);
    write("T2.md", "---\ntitle: x\nstate: doing\n---\n");
    write("T3.md", "---\ntitle: x\nbefore: [T1]\n---\n");
    write(".T4.md", text);
    mkdirSync(path.join(folder, "T5.md"));
    const listed = await source.list();
    assert.ok(listed.ok);
    assert.deepEqual(
      listed.value.tasks.map(({ id }) => id),
      ["T1"],
    );
    assert.match(
      listed.value.problems.map(({ text }) => text).join("\n"),
      /T2\.md: line 3: state: [^]*T3\.md: line 3: Unrecognized key[^]*T5\.md is no file/u,
    );
  });

  it("are empty without a folder, and no id leads outside it", async (t) => {
    const { source, folder, write } = place(t);
    write("../secret.md", text);
    for (const id of ["../secret", "", ".", "..", "a/b", "T1\0", "x".repeat(200)]) {
      const read = await source.read(id);
      assert.equal(read.ok ? "" : read.reason, "no_such_task", JSON.stringify(id));
    }
    rmSync(folder, { recursive: true });
    assert.deepEqual(await source.list(), { ok: true, value: { tasks: [], problems: [] } });
    symlinkSync(folder, folder);
    const looped = await source.list();
    assert.equal(looped.ok ? "" : looped.reason, "source_failed");
  });

  it("keep every byte except the lines of state and time, in any file", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "---",
        "title: a",
        "state: todo",
        "updated: 2026-11-27",
        "check: |",
        "  state: x",
        "# state: y",
        "\r",
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), fc.constantFrom(...taskStates), (lines, state) => {
        const before = lines.join("\n");
        const after = withHead(before, { state, updated: "2026-11-27T09:00:00.000Z" });
        if (!after.ok) return;
        const others = (each: string) =>
          each.split("\n").filter((one) => !/^(?:state|updated)[ \t]*:/u.test(one));
        assert.deepEqual(others(after.value), others(before));
        if (readTaskDocument("T", before).ok) {
          const read = readTaskDocument("T", after.value);
          assert.deepEqual(read.ok ? [read.value.state, read.value.updatedAt] : read.detail, [state, at]);
        }
      }),
    );
  });

  it("never throw at any text of a comment", () => {
    fc.assert(fc.property(fc.string(), (any) => void readCommentDocument("c", any)));
    fc.assert(fc.property(fc.string(), (any) => void readCommentDocument("c", `---\n${any}\n---\n${any}`)));
  });
});
