import assert from "node:assert/strict";
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, it, type TestContext } from "node:test";
import { FolderWatch } from "../../../src/engine/transcripts/folder-watch.ts";
import { asOrdinaryUser } from "../support/ordinary-user.ts";
import { scratchFolder } from "../support/scratch.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Changes the listener received. */
let changes: string[] = [];
let problems: string[] = [];
let watch: FolderWatch;

function makeFolder(t: TestContext, name = "project"): string {
  const folder = path.join(scratchFolder(t), name);
  mkdirSync(folder);
  return folder;
}

const heard = (file: string) => waitUntil(() => changes.includes(file));

describe("watching folders", () => {
  beforeEach(() => {
    changes = [];
    problems = [];
    watch = new FolderWatch({
      onChange: (filePath) => changes.push(filePath),
      onProblem: (folder, reason) => problems.push(`${reason} ${folder}`),
    });
  });
  afterEach(() => watch.dispose());

  it("reports a new file, and each growth", async (t) => {
    const folder = makeFolder(t);
    const file = path.join(folder, "session.jsonl");
    assert.equal(watch.set([folder]), true);
    writeFileSync(file, "one\n");
    await heard(file);
    changes = [];
    appendFileSync(file, "two\n");
    await heard(file);
  });

  it("continues to watch the remaining folders without a restart", async (t) => {
    const [one, other] = [makeFolder(t), makeFolder(t)];
    watch.set([one]);
    assert.equal(watch.set([one]), false);
    assert.equal(watch.set([other, one]), true);
    for (const folder of [one, other]) {
      writeFileSync(path.join(folder, "x"), "");
      await heard(path.join(folder, "x"));
    }
  });

  it("reports nothing from a folder that left the set, nor after it is disposed", async (t) => {
    const [left, stays, later] = [makeFolder(t), makeFolder(t), makeFolder(t)];
    watch.set([left, stays]);
    watch.set([stays]);
    writeFileSync(path.join(left, "x"), "");
    writeFileSync(path.join(stays, "x"), "");
    await heard(path.join(stays, "x"));
    assert.ok(!changes.some((filePath) => filePath.startsWith(left)));
    watch.dispose();
    changes = [];
    const second = new FolderWatch({ onChange: () => (isSeen = true), onProblem: () => assert.fail() });
    let isSeen = false;
    second.set([later]);
    writeFileSync(path.join(stays, "y"), "");
    writeFileSync(path.join(later, "y"), "");
    await waitUntil(() => isSeen);
    second.dispose();
    assert.deepEqual(changes, []);
  });

  it("watches a folder that does not exist yet after a later call", async (t) => {
    const folder = path.join(scratchFolder(t), "later");
    assert.equal(watch.set([folder]), false);
    assert.deepEqual(problems, []);
    mkdirSync(folder);
    assert.equal(watch.set([folder]), true);
    writeFileSync(path.join(folder, "x"), "");
    await heard(path.join(folder, "x"));
  });

  it("watches a folder again that was removed and recreated", async (t) => {
    const folder = makeFolder(t);
    watch.set([folder]);
    rmSync(folder, { recursive: true });
    await heard(folder);
    mkdirSync(folder);
    assert.equal(watch.set([folder]), true);
    writeFileSync(path.join(folder, "x"), "");
    await heard(path.join(folder, "x"));
  });

  it("watches a folder again that was moved away and replaced", async (t) => {
    const folder = makeFolder(t);
    watch.set([folder]);
    renameSync(folder, `${folder}-old`);
    mkdirSync(folder);
    await heard(folder);
    assert.equal(watch.set([folder]), true);
    writeFileSync(path.join(folder, "x"), "");
    await heard(path.join(folder, "x"));
  });

  it("handles an entry in the folder with the folder's own name", async (t) => {
    const folder = makeFolder(t);
    watch.set([folder]);
    mkdirSync(path.join(folder, "project"));
    await heard(folder);
    watch.set([folder]);
    writeFileSync(path.join(folder, "x"), "");
    await heard(path.join(folder, "x"));
  });

  it("reports a folder it may not watch, and watches the others", async (t) => {
    const [closed, open] = [makeFolder(t), makeFolder(t)];
    chmodSync(closed, 0);
    const hasLooked = asOrdinaryUser(t, () => assert.equal(watch.set([closed, open]), true));
    chmodSync(closed, 0o700);
    if (!hasLooked) return;
    assert.deepEqual(problems, [`EACCES ${closed}`]);
    writeFileSync(path.join(open, "x"), "");
    await heard(path.join(open, "x"));
  });

  it("misses none of many files in one folder", async (t) => {
    const folder = makeFolder(t);
    watch.set([folder]);
    const files = Array.from({ length: 200 }, (_, number) => path.join(folder, `${number}.jsonl`));
    for (const file of files) writeFileSync(file, "");
    await waitUntil(() => new Set(changes).size >= files.length);
  });
});
