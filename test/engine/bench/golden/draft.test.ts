import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { applyPatch } from "../../../../src/engine/bench/execute/apply-patch.ts";
import { draftFromSession } from "../../../../src/engine/bench/golden/draft.ts";
import { readTask } from "../../../../src/engine/bench/golden/read.ts";
import { writeDraft } from "../../../../src/engine/bench/golden/write-draft.ts";
import { anyText, agentText, scratchFolder, writeFiles } from "../support/disk-suite.ts";

const project = "/home/dev/harbor";
const asked = (content: unknown, more = {}) => ({
  type: "user",
  cwd: project,
  message: { content },
  ...more,
});
const did = (toolUseResult: unknown, more = {}) => ({
  ...asked([{ type: "tool_result", tool_use_id: "a", content: "done" }]),
  toolUseResult,
  ...more,
});
const edit = (name: string, originalFile: string | null, oldString: string, newString: string, more = {}) =>
  did({ filePath: `${project}/${name}`, originalFile, oldString, newString, replaceAll: false, ...more });

async function draft(t: TestContext, rows: readonly unknown[]) {
  const folder = await scratchFolder(t);
  const lines = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  await writeFiles(folder, { "session.jsonl": `${lines.join("\n")}\n` });
  return await draftFromSession(path.join(folder, "session.jsonl"));
}

async function drafted(t: TestContext, rows: readonly unknown[]) {
  const read = await draft(t, rows);
  assert.ok(read.ok);
  return read.value;
}

describe("a draft from a session", { concurrency: true }, () => {
  it("has the first request, and all changes as one patch", async (t) => {
    const draftedTask = await drafted(t, [
      { type: "mode", mode: "x" },
      asked("<command-name>/clear</command-name>"),
      asked("Caveat: nothing", { isMeta: true }),
      asked([{ type: "text", text: "Count the berths" }]),
      edit("berths.ts", "const berths = 3;\nconst free = 1;\n", "berths = 3", "berths = 4"),
      edit("berths.ts", "const berths = 4;\nconst free = 1;\n", "free = 1", "free = 2"),
      did({ type: "create", filePath: `${project}/src/new.ts`, content: "new\n", originalFile: null }),
      did({ type: "update", filePath: `${project}/old.ts`, content: "b\n", originalFile: "a\n" }),
      did({ type: "text", file: { filePath: `${project}/read.ts`, content: "x" } }),
      edit("undone.ts", "a\n", "a", "b"),
      edit("undone.ts", "b\n", "b", "a"),
      edit("../elsewhere.ts", "a\n", "a", "b"),
      asked("Something else"),
      '{"cut',
    ]);
    assert.deepEqual(
      [draftedTask.prompt, draftedTask.cwd, draftedTask.unknown],
      ["Count the berths", project, []],
    );
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "berths.ts": "const berths = 3;\nconst free = 1;\n", "old.ts": "a\n" });
    const applied = await applyPatch(folder, draftedTask.patch ?? "");
    assert.deepEqual(applied.ok && applied.value, ["berths.ts", "src/new.ts", "old.ts"]);
    assert.equal(
      await readFile(path.join(folder, "berths.ts"), "utf8"),
      "const berths = 4;\nconst free = 2;\n",
    );
    assert.equal(await readFile(path.join(folder, "src/new.ts"), "utf8"), "new\n");
  });

  it("continues from the known state if the transcript lacks the previous content", async (t) => {
    const draftedTask = await drafted(t, [
      asked("Work"),
      edit("a.ts", "one one\n", "one", "two", { replaceAll: true }),
      did({ filePath: `${project}/a.ts`, oldString: "two two", newString: "$& three" }),
      did({ filePath: `${project}/b.ts`, oldString: "x", newString: "y" }),
    ]);
    assert.match(draftedTask.patch ?? "", /\+\$& three/u);
    assert.deepEqual(draftedTask.unknown, ["b.ts"]);
  });

  it("leaves out prompts to subagents, and fails without a person's prompt", async (t) => {
    const draftedTask = await drafted(t, [asked("An aside", { isSidechain: true }), asked("The work")]);
    assert.deepEqual([draftedTask.prompt, draftedTask.patch], ["The work", null]);
    const none = await draft(t, [{ type: "summary", summary: "x" }, "", "not json"]);
    assert.equal(none.ok ? "" : none.reason, "nothing_asked");
  });

  it("is written next to others, and becomes a task once a person accepts it", async (t) => {
    const folder = await scratchFolder(t);
    await writeFiles(folder, { "agents-of/sql.md": "", "agents-of/backend.md": agentText });
    const paths = {
      workspace: folder,
      folder: path.join(folder, "golden"),
      agent: "backend",
      agents: [path.join(folder, "agents-of")],
    };
    const session = {
      prompt: "Count the berths, please: all",
      cwd: project,
      patch: "--- a\n",
      unknown: ["b.ts"],
    };
    const first = await writeDraft(session, paths);
    const second = await writeDraft({ ...session, patch: null, unknown: [] }, paths);
    assert.ok(first.ok && second.ok);
    assert.deepEqual(
      first.value.files.map((file) => path.relative(paths.folder, file).replaceAll(path.sep, "/")),
      [
        "tasks/backend/01-count-the-berths-please-all.draft.md",
        "checks/backend/01-count-the-berths-please-all.mjs",
        "tasks/backend/01-count-the-berths-please-all.solution.patch",
        "agents/backend.md",
      ],
    );
    assert.match(second.value.files[0] ?? "", /02-count/u);
    assert.match(first.value.remaining.map(({ text }) => text).join(), /not known of b\.ts/u);
    assert.match(second.value.remaining.map(({ text }) => text).join(), /changed no known file/u);
    const named = await writeDraft(session, { ...paths, first: [plainSentence("freeze the project")] });
    const text = await readFile((named.ok ? named.value.files[0] : undefined) ?? "", "utf8");
    assert.match(
      text,
      /What remains:\n\n- \[ \] Freeze the project\.\n- \[ \] Write its check; for now it always fails\.\n/u,
    );
    const bad = await writeDraft(session, { ...paths, agent: "../up" });
    assert.equal(bad.ok ? "" : bad.reason, "bad_agent");
  });

  it("is a valid task for any prompt", async (t) => {
    const root = await scratchFolder(t);
    let count = 0;
    const prompts = fc.oneof(
      anyText(200),
      fc.constantFrom(
        "--help",
        "- a\n- b",
        "a\u001b[2J",
        "---\nid: x\n---",
        'a: "b" #c',
        "x".repeat(9000),
        "\u200b",
      ),
    );
    await fc.assert(
      fc.asyncProperty(prompts, async (prompt) => {
        fc.pre(/[^\p{C}\s]/u.test(prompt.slice(0, 4000)));
        const folder = path.join(root, String((count += 1)));
        const session = { prompt, cwd: project, patch: null, unknown: [] };
        const written = await writeDraft(session, { workspace: root, folder, agent: "sql", agents: [] });
        assert.ok(written.ok);
        const task = await readTask(written.value.files[0] ?? "", path.join(folder, "checks"), () =>
          assert.fail("a draft of a session begins at no commit"),
        );
        assert.ok(task.ok, task.ok ? "" : `${JSON.stringify(prompt)} ${task.detail.text}`);
      }),
      { numRuns: 100 },
    );
  });
});
