import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import type { MainFile } from "../../../../src/engine/rules/main-files.ts";
import { measurementParams } from "../../service/support/rules-acts.ts";
import { served } from "../../service/support/rules-service.ts";
import { assert } from "../../support/assert-texts.ts";
import { scratchFolder } from "../../support/scratch.ts";

const text = "Read a file once and work from what you saw.";
const mine = "# My notes\r\nKeep them.";

/** A service with a proven rule of the main conversation, and a project. */
async function withProven(t: TestContext) {
  const { client, root } = await served(t);
  const project = scratchFolder(t);
  const made = await client.ask("rulesPropose", {
    agent: "main",
    origin: "hand",
    rules: [{ text, source: null }],
  });
  const id = (made.ok ? made.value.proposed[0]?.id : null) ?? assert.fail("not proposed");
  const act = async (kind: "approve" | "undo") => {
    const done = await client.ask("rulesAct", { id, act: { kind }, root });
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    return done.value;
  };
  await act("approve");
  const facts = measurementParams(id, "saves", root);
  const measured = await client.ask("rulesMeasured", facts);
  assert.ok(measured.ok, measured.ok ? "" : measured.detail.text);
  const choose = (name: MainFile | null) => client.ask("rulesMainFile", { project, name, root });
  const fileOf = (name: MainFile) => path.join(project, name);
  const read = (name: MainFile) => readFileSync(fileOf(name), "utf8");
  return { client, root, project, id, act, choose, fileOf, read };
}

test("a rule of the main conversation goes into the chosen file, moves with the choice, and comes out as it came", async (t) => {
  const { act, choose, fileOf, read } = await withProven(t);
  writeFileSync(fileOf("AGENTS.md"), mine);
  const without = await act("approve");
  assert.match(without.memory ?? "", /^no file is chosen for them: .*purser rules file/u);
  assert.equal(read("AGENTS.md"), mine);

  assert.ok((await choose("AGENTS.md")).ok);
  assert.match(
    read("AGENTS.md"),
    /^# My notes\r\nKeep them\.\r\n<!-- purser v1 .* -->\r\n- Read a file once.*\r\n<!-- end of/u,
  );

  assert.ok((await choose(".claude/rules/purser.md")).ok);
  assert.equal(read("AGENTS.md"), mine);
  assert.match(read(".claude/rules/purser.md"), /^<!-- purser v\d+ .*\n- Read a file once/u);
  assert.equal(statSync(fileOf(".claude/rules/purser.md")).mode & 0o777, 0o644);

  assert.equal((await act("undo")).memory, null);
  assert.equal(existsSync(fileOf(".claude/rules/purser.md")), false, "it held nothing else");
  assert.equal((await act("approve")).memory, null);
  assert.match(read(".claude/rules/purser.md"), /Read a file once/u);
  assert.ok((await choose(null)).ok);
  assert.equal(existsSync(fileOf(".claude/rules/purser.md")), false);
});

test("a block that was edited by hand, a read-only file and one that leads outside are left as they are", async (t) => {
  const { client, root, project, act, choose, fileOf, read } = await withProven(t);
  assert.ok((await choose("CLAUDE.local.md")).ok);
  await act("approve");
  const edited = read("CLAUDE.local.md").replace("once", "twice");
  writeFileSync(fileOf("CLAUDE.local.md"), edited);
  assert.match((await act("undo")).memory ?? "", /were edited by hand; they are left as they are$/u);
  assert.equal(read("CLAUDE.local.md"), edited);
  const moved = await choose("AGENTS.md");
  assert.match(moved.ok ? "" : moved.detail.text, /edited by hand; remove them there first$/u);

  // Seen and confirmed, it is replaced, and kept as a version.
  const view = await client.ask("rulesRead", { root });
  const shown = view.ok ? view.value.view.memories.find((each) => each.project === project) : undefined;
  assert.equal(shown?.state, "edited");
  await act("approve");
  const replaced = await client.ask("memoryCompile", { agent: "main", root, project, replaces: shown.text });
  assert.ok(replaced.ok, replaced.ok ? "" : replaced.detail.text);
  assert.equal(replaced.value.memory.isCurrent, true);
  assert.ok(replaced.value.memory.versions.some(({ madeBy }) => madeBy === "the user"));

  chmodSync(fileOf("CLAUDE.local.md"), 0o444);
  const before = read("CLAUDE.local.md");
  assert.match((await act("undo")).memory ?? "", /is read-only, so it is left as it is/u);
  assert.equal(read("CLAUDE.local.md"), before);
  chmodSync(fileOf("CLAUDE.local.md"), 0o600);
  const written = await client.ask("memoryCompile", { agent: "main", root, project, replaces: null });
  assert.ok(written.ok, written.ok ? "" : written.detail.text);
  assert.equal(existsSync(fileOf("CLAUDE.local.md")), false);

  const outside = path.join(scratchFolder(t), "theirs.md");
  writeFileSync(outside, mine);
  symlinkSync(outside, fileOf("AGENTS.md"));
  assert.equal((await choose("AGENTS.md")).ok, false);
  assert.equal(readFileSync(outside, "utf8"), mine);
  mkdirSync(fileOf(".claude/rules/purser.md"), { recursive: true });
  assert.equal((await choose(".claude/rules/purser.md")).ok, false);
});

test("two projects have files of their own, and both get the rules", async (t) => {
  const { client, root, act, choose, read } = await withProven(t);
  const other = scratchFolder(t);
  assert.ok((await choose("CLAUDE.local.md")).ok);
  const second = await client.ask("rulesMainFile", { project: other, name: "AGENTS.md", root });
  assert.ok(second.ok, second.ok ? "" : second.detail.text);
  assert.equal((await act("approve")).memory, null);
  assert.match(read("CLAUDE.local.md"), /Read a file once/u);
  assert.match(readFileSync(path.join(other, "AGENTS.md"), "utf8"), /Read a file once/u);
  const undone = await client.ask("memoryUndo", {
    agent: "main",
    root,
    project: other,
    version: "9",
    replaces: null,
  });
  assert.match(undone.ok ? "" : undone.detail.text, /have no version 9$/u);
});
