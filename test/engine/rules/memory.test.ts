import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import fc from "fast-check";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import {
  installAgents,
  planAgents,
  removeAgents,
} from "../../../src/engine/cli/bench/golden/install-agents.ts";
import { memoryPath, readMemory, writeMemory } from "../../../src/engine/rules/memory.ts";
import { compileMemory, memoryKind, memoryLimits } from "../../../src/engine/rules/memory-text.ts";
import { scratchFolder } from "../support/scratch.ts";
import { rule } from "./support/support.ts";

let words = 0;
const ports = { files: nodeFiles, unique: () => `${process.pid}-${(words += 1)}` };
const active = (id: string, saving: number, over = {}) =>
  rule({ id, saving, status: "active", sentence: `Rule ${id} says something.`, ...over });

test("A memory lists its active rules by saving, under a header that marks it as generated", () => {
  const { text, ruleIds } = compileMemory(
    [active("a", 5), active("b", 50, { scope: "editing tests" }), rule({ id: "c", status: "measured" })],
    "3",
  );
  const [head, ...lines] = text.split("\n");
  assert.match(head ?? "", /^<!-- purser v3 [0-9a-f]{12}: generated/u);
  assert.deepEqual(lines, ["- (when editing tests) Rule b says something.", "- Rule a says something.", ""]);
  assert.deepEqual(ruleIds, ["b", "a"]);
  assert.deepEqual(memoryKind(text), { kind: "ours", version: "3" });
  assert.deepEqual(compileMemory([rule()], "3").text, "");
});

test("It stays under the lines and bytes that are read; what saves least is left out", () => {
  const many = Array.from({ length: 400 }, (_, index) => active(`r${index}`, index));
  const { text, leftOut } = compileMemory(many, "1");
  assert.ok(text.split("\n").length <= memoryLimits.lines + 1);
  assert.ok(leftOut.includes("r0") && !leftOut.includes("r399"));
  const wide = Array.from({ length: 100 }, (_, index) =>
    active(`r${index}`, index, { sentence: "規".repeat(200) }),
  );
  const compiled = compileMemory(wide, "1");
  assert.ok(Buffer.byteLength(compiled.text) < memoryLimits.bytes);
  assert.equal(compiled.ruleIds.length + compiled.leftOut.length, 100);
});

test("Any change to a memory shows", () => {
  const { text } = compileMemory([active("a", 5)], "1");
  const body = text.indexOf("\n") + 1;
  fc.assert(
    fc.property(fc.nat(text.length), fc.string({ minLength: 1, maxLength: 5 }), (index, inserted) => {
      const changed = text.slice(0, index) + inserted + text.slice(index);
      const { kind } = memoryKind(changed);
      assert.equal(kind, index >= body ? "edited" : kind === "ours" ? assert.fail() : kind);
    }),
  );
});

test("A memory is written as a whole, rewritten, and removed without rules", async (t) => {
  const file = memoryFile(scratchFolder(t));
  const first = compileMemory([active("a", 5)], "1").text;
  assert.deepEqual(await writeMemory({ file, text: first, replaces: null }, ports), {
    ok: true,
    value: null,
  });
  assert.equal(readFileSync(file, "utf8"), first);
  const second = compileMemory([active("a", 5), active("b", 6)], "2").text;
  assert.ok((await writeMemory({ file, text: second, replaces: null }, ports)).ok);
  assert.equal(readFileSync(file, "utf8"), second);
  assert.deepEqual(readdirSync(path.dirname(file)), ["MEMORY.md"]);
  assert.ok((await writeMemory({ file, text: "", replaces: null }, ports)).ok);
  assert.equal(existsSync(file), false);
});

test("Another's or an edited file is unchanged, unless its exact text was confirmed for replacement", async (t) => {
  const file = memoryFile(scratchFolder(t));
  mkdirSync(path.dirname(file), { recursive: true });
  const ours = compileMemory([active("a", 5)], "1").text;
  for (const theirs of ["- My own memory\n", `${ours}- and a line of mine\n`]) {
    writeFileSync(file, theirs);
    for (const text of [ours, ""]) {
      const refused = await writeMemory({ file, text, replaces: null }, ports);
      assert.equal(refused.ok || refused.reason, "not_ours");
    }
    const changed = await writeMemory({ file, text: ours, replaces: "something else" }, ports);
    assert.equal(changed.ok || changed.reason, "changed");
    assert.equal(readFileSync(file, "utf8"), theirs);
    const chosen = await writeMemory({ file, text: ours, replaces: theirs }, ports);
    assert.equal(chosen.ok && chosen.value?.text, theirs);
    assert.equal(readFileSync(file, "utf8"), ours);
  }
});

test("A disk that is full leaves the memory as it was", async (t) => {
  const file = memoryFile(scratchFolder(t));
  const first = compileMemory([active("a", 5)], "1").text;
  await writeMemory({ file, text: first, replaces: null }, ports);
  const files = {
    ...nodeFiles,
    rename: () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })),
  };
  const text = compileMemory([active("b", 5)], "2").text;
  const failed = await writeMemory({ file, text, replaces: null }, { ...ports, files });
  assert.equal(failed.ok || failed.reason, "failed");
  assert.equal(readFileSync(file, "utf8"), first);
  assert.deepEqual(readdirSync(path.dirname(file)), ["MEMORY.md"]);
});

test("An agent's name never leads out of the memories' folder", () => {
  assert.equal(memoryPath("/r", "../x").ok, false);
  const found = memoryPath("/r", "scout");
  assert.equal(found.ok && found.value, path.join("/r", "agent-memory", "scout", "MEMORY.md"));
});

test("A folder in the file's place is a failure, not a throw", async (t) => {
  const file = memoryFile(scratchFolder(t));
  mkdirSync(file, { recursive: true });
  assert.equal((await readMemory(file, ports)).ok, false);
});

test("Agents are installed, and no other file is overwritten", async (t) => {
  const root = scratchFolder(t);
  const scout = { name: "scout", definition: "---\nname: scout\n---\nLook.\n" };
  assert.deepEqual((await installAgents([scout], root, ports))[0]?.kind, "installed");
  assert.deepEqual((await installAgents([scout], root, ports))[0]?.kind, "same");
  const file = path.join(root, "agents", "scout.md");
  writeFileSync(file, "mine\n");
  assert.deepEqual((await installAgents([scout], root, ports))[0]?.kind, "foreign");
  assert.equal(readFileSync(file, "utf8"), "mine\n");
  assert.deepEqual((await installAgents([{ ...scout, name: "../x" }], root, ports))[0]?.kind, "failed");
  assert.deepEqual(readdirSync(path.dirname(file)), ["scout.md"]);
});

test("Installing agents shows its plan first, and can be reverted while nobody changed the files", async (t) => {
  const root = scratchFolder(t);
  const agents = ["scout", "smith", "bard"].map((name) => ({
    name,
    definition: `---\nname: ${name}\n---\n`,
  }));
  const kinds = async () => (await planAgents(agents, root, nodeFiles)).map(({ kind }) => kind);
  assert.deepEqual(await kinds(), ["new", "new", "new"]);
  assert.equal(existsSync(path.join(root, "agents")), false);
  await installAgents(agents.slice(0, 2), root, ports);
  writeFileSync(path.join(root, "agents", "smith.md"), "mine\n");
  assert.deepEqual(await kinds(), ["same", "foreign", "new"]);
  const kept = await removeAgents(agents, root, nodeFiles);
  assert.deepEqual(
    kept.map((file) => path.basename(file)),
    ["smith.md"],
  );
  assert.deepEqual(readdirSync(path.join(root, "agents")), ["smith.md"]);
  const [bad] = await planAgents([{ name: "../x", definition: "" }], root, nodeFiles);
  assert.equal(bad?.kind, "failed");
});

function memoryFile(root: string): string {
  const found = memoryPath(root, "scout");
  assert.ok(found.ok);
  return found.value;
}
