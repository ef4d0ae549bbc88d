import { assert } from "../../support/assert-texts.ts";
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import { findTranscripts, identify } from "../../../../src/engine/transcripts/claude/claude-files.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { asOrdinaryUser } from "../../support/ordinary-user.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

const noLinks = { skip: process.platform === "win32" && "Windows may not make links" };

/** The owner of each file found, by path below the root. */
function findIn(root: string): Record<string, string> {
  const { files, problems } = findTranscripts([root]);
  assert.deepEqual(problems, []);
  const owner = ({ sessionId, agentId }: { sessionId: string | null; agentId: string | null }) =>
    `${sessionId ?? "?"}${agentId === null ? "" : ` agent ${agentId}`}`;
  return Object.fromEntries(
    files.map((file) => [path.relative(root, file.path).replaceAll(path.sep, "/"), owner(file)]),
  );
}

describe("the owner of a transcript, by its path", () => {
  for (const [place, expected] of [
    ["/r/projects/p/s1.jsonl", { sessionId: "s1", agentId: null }],
    ["/r/projects/p/agent-a1.jsonl", { sessionId: null, agentId: "a1" }],
    ["/r/projects/p/s1/subagents/agent-a1.jsonl", { sessionId: "s1", agentId: "a1" }],
    ["/r/projects/p/s1/subagents/workflows/wf_1/agent-a1.jsonl", { sessionId: "s1", agentId: "a1" }],
    ["/home/subagents/projects/p/agent-a1.jsonl", { sessionId: null, agentId: "a1" }],
    ["/subagents/agent-a1.jsonl", { sessionId: null, agentId: "a1" }],
    ["/r/projects/p/s1/subagents/agent-a1.meta.json", undefined],
    ["/r/projects/p/s1.jsonl.bak", undefined],
    ["/r/projects/p/.jsonl", undefined],
    ["/r/projects/p/jsonl", undefined],
  ] as const)
    it(place, () => assert.deepEqual(identify(path.normalize(place)), expected));
});

describe("finding transcripts", () => {
  it("finds main files and subagents' in every layout, and nothing else", (t) => {
    const root = scratchFolder(t);
    const none = "";
    writeTree(path.join(root, "projects"), {
      "-home-dev/s1.jsonl": none,
      "-home-dev/s1/subagents/agent-a1.jsonl": none,
      "-home-dev/s1/subagents/agent-a1.meta.json": none,
      "-home-dev/s1/subagents/journal.jsonl": none,
      "-home-dev/s1/subagents/workflows/wf_1/agent-a2.jsonl": none,
      "-home-dev/s1/subagents/workflows/wf_1/journal.jsonl": none,
      "-home-dev/s1/tool-results/toolu_1.jsonl": none,
      "-home-dev/s1/tool-results/subagents/agent-a3.jsonl": none,
      "-home-dev/s1/notes.jsonl": none,
      "-home-dev/memory/MEMORY.md": none,
      "-home-dev/memory/rows.jsonl": none,
      "-home-dev/agent-old.jsonl": none,
      "-home-other/s2.jsonl": none,
      "-home-other/readme.txt": none,
      "stray.jsonl": none,
    });
    writeTree(root, { "history.jsonl": none, "sessions/1.json": none, "todos/s1.jsonl": none });
    assert.deepEqual(findIn(root), {
      "projects/-home-dev/agent-old.jsonl": "? agent old",
      "projects/-home-dev/s1.jsonl": "s1",
      "projects/-home-dev/s1/subagents/agent-a1.jsonl": "s1 agent a1",
      "projects/-home-dev/s1/subagents/workflows/wf_1/agent-a2.jsonl": "s1 agent a2",
      "projects/-home-other/s2.jsonl": "s2",
    });
    const { projects } = findTranscripts([root]);
    const named = ["-home-dev", "-home-other"].map((name) => path.join(root, "projects", name));
    assert.deepEqual(projects.toSorted(), named);
  });

  it("reports size and time of change", (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "projects/p/s1.jsonl": "1234\n" });
    const [file] = findTranscripts([root]).files;
    assert.equal(file?.size, 5);
    assert.equal(file.mtimeMs, statSync(file.path).mtimeMs);
  });

  it("reports each file as soon as it is found, and stops when the callback does", (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "projects/p/s1.jsonl": "1", "projects/p/s2.jsonl": "12", "projects/q/s3.jsonl": "" });
    const reported: string[] = [];
    const { files } = findTranscripts([root, root], (file) => reported.push(file.path));
    assert.deepEqual(
      reported,
      files.map((file) => file.path),
    );
    assert.equal(reported.length, 3);
    const failure = Object.assign(new Error("no"), { code: "EAGAIN" });
    assert.throws(
      () =>
        findTranscripts([root], () => {
          throw failure;
        }),
      failure,
    );
  });

  it("finds nothing, and reports no problem, in missing folders", (t) => {
    const root = scratchFolder(t);
    const nothing = { projects: [], files: [], problems: [] };
    assert.deepEqual(findTranscripts([root, path.join(root, "missing")]), nothing);
    assert.deepEqual(findTranscripts([]), nothing);
  });

  it("counts a project of several roots, or a root named twice, once", noLinks, (t) => {
    const folder = scratchFolder(t);
    writeTree(folder, { "one/projects/p/s1.jsonl": "", "two/projects/q/s2.jsonl": "" });
    const [one, two] = [path.join(folder, "one"), path.join(folder, "two")];
    symlinkSync(one, path.join(folder, "linked-root"));
    symlinkSync(path.join(one, "projects", "p"), path.join(two, "projects", "linked-project"));
    const { files, projects, problems } = findTranscripts([one, two, one, path.join(folder, "linked-root")]);
    assert.deepEqual(files.map(({ sessionId }) => sessionId).toSorted(), ["s1", "s2"]);
    assert.deepEqual([projects.length, problems], [2, []]);
  });

  it("counts a linked file once, by its own name", noLinks, (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "projects/p/s1.jsonl": "", "elsewhere/s2.jsonl": "" });
    const project = path.join(root, "projects", "p");
    symlinkSync(path.join(project, "s1.jsonl"), path.join(project, "latest.jsonl"));
    symlinkSync(path.join(root, "elsewhere", "s2.jsonl"), path.join(project, "s2.jsonl"));
    assert.deepEqual(findIn(root), { "projects/p/s1.jsonl": "s1", "projects/p/s2.jsonl": "s2" });
  });

  it(
    "is not confused by links to folders above, to nothing, or to a folder named like a file",
    noLinks,
    (t) => {
      const root = scratchFolder(t);
      writeTree(root, { "projects/p/s1.jsonl": "", "projects/p/s1/subagents/agent-a1.jsonl": "" });
      const project = path.join(root, "projects", "p");
      symlinkSync(root, path.join(project, "up"));
      symlinkSync(path.join(root, "projects"), path.join(project, "s1", "subagents", "up"));
      symlinkSync(path.join(root, "missing"), path.join(project, "broken"));
      symlinkSync(path.join(root, "missing"), path.join(project, "broken.jsonl"));
      symlinkSync(path.join(root, "projects"), path.join(project, "folder.jsonl"));
      writeFileSync(path.join(root, "note"), "");
      symlinkSync(path.join(root, "note"), path.join(root, "projects", "note"));
      assert.deepEqual(Object.values(findIn(root)).toSorted(), ["s1", "s1 agent a1"]);
      assert.deepEqual(findTranscripts([root]).projects, [project]);
    },
  );

  it("reports links that lead to themselves", noLinks, (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "projects/p/s1.jsonl": "" });
    for (const name of ["loop", "loop.jsonl"]) {
      const filePath = path.join(root, "projects", "p", name);
      symlinkSync(filePath, filePath);
    }
    const { files, problems } = findTranscripts([root]);
    assert.equal(files.length, 1);
    assert.deepEqual(
      problems.map(({ path: filePath, reason }) => `${reason.text} ${path.basename(filePath)}`).toSorted(),
      ["ELOOP loop", "ELOOP loop.jsonl"],
    );
  });

  it("is not stopped by a FIFO or a folder with a transcript's name", (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "projects/p/s1.jsonl": "", "projects/p/s2.jsonl/subagents/agent-a1.jsonl": "" });
    const fifo = path.join(root, "projects", "p", "s3.jsonl");
    const hasFifo = makeFifo(t, fifo);
    const { files } = findTranscripts([root]);
    const names = files.map((file) => path.relative(path.join(root, "projects", "p"), file.path));
    assert.ok(names.includes("s1.jsonl") && !names.includes("s2.jsonl"));
    assert.equal(names.includes("s3.jsonl"), hasFifo, "its reader refuses it, and reports that");
  });

  it("reports a folder that it may not read, and finds files elsewhere", (t) => {
    const root = scratchFolder(t);
    writeTree(root, { "projects/closed/s1.jsonl": "", "projects/open/s2.jsonl": "" });
    const closed = path.join(root, "projects", "closed");
    chmodSync(closed, 0);
    asOrdinaryUser(t, () => {
      const { files, projects, problems } = findTranscripts([root]);
      assert.deepEqual(problems, [{ path: closed, reason: "EACCES" }]);
      assert.deepEqual(
        files.map(({ sessionId }) => sessionId),
        ["s2"],
      );
      assert.deepEqual(projects, [path.join(root, "projects", "open")]);
    });
    chmodSync(closed, 0o700);
  });

  it("reports a `projects` that is not a folder", (t) => {
    const root = scratchFolder(t);
    writeFileSync(path.join(root, "projects"), "");
    assert.deepEqual(findTranscripts([root]).problems, [
      { path: path.join(root, "projects"), reason: "ENOTDIR" },
    ]);
    rmSync(path.join(root, "projects"));
    mkdirSync(path.join(root, "projects"));
    assert.deepEqual(findTranscripts([root]).problems, []);
  });
});
