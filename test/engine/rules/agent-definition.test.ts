import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import fc from "fast-check";
import {
  agentDefinitions,
  agentFolders,
  memoryLine,
  memoryLineIndex,
} from "../../../src/engine/rules/agent-definition.ts";
import { whyNoMemory, agentOffers } from "../../../src/engine/rules/needs.ts";
import { scratchFolder } from "../support/scratch.ts";

function put(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test("An agent is found by the name in its definition, the project's before the user's", async (t) => {
  const root = scratchFolder(t);
  const project = path.join(root, "wörk 1");
  const [theirs, own] = agentFolders([project], root);
  assert.ok(theirs !== undefined && own !== undefined);
  const inProject = put(theirs, "deep/er/s.md", "---\nname: scout\nmemory: project\n---\nSearch.\n");
  put(own, "scout.md", "---\nname: scout\nmemory: user\n---\nSearch.\n");
  const writer = put(own, "w.md", "\uFEFF---\r\nname: \"writer\" # of docs\r\nmemory: 'user'\r\n---\r\n");
  // Claude Code accepts frontmatter that is not valid YAML.
  const plain = put(
    own,
    "plain.md",
    "---\ndescription: Use when: user: asks\n  memory: user\n---\nmemory: user\n",
  );
  put(own, "Not a name.md", "no head");
  put(own, "huge.md", `---\nname: huge\n---\n${"x".repeat(1_000_000)}`);
  put(own, "note.txt", "---\nname: note\n---\n");
  symlinkSync(path.join(own, "nowhere"), path.join(own, "gone.md"));
  mkdirSync(path.join(own, "folder.md"));
  const found = await agentDefinitions([theirs, own]);
  assert.deepEqual(
    found.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    [
      { name: "plain", file: plain, memory: null },
      { name: "scout", file: inProject, memory: "project" },
      { name: "writer", file: writer, memory: "user" },
    ],
  );
  assert.deepEqual(whyNoMemory("scout", found), { kind: "elsewhere", file: inProject, scope: "project" });
  assert.deepEqual(whyNoMemory("writer", found), null);
  assert.deepEqual(whyNoMemory("plain", found), { kind: "no-memory", file: plain });
  assert.deepEqual(whyNoMemory("Explore", found), { kind: "no-definition" });
  assert.deepEqual(whyNoMemory("main", found), { kind: "main" });
  assert.deepEqual(await agentDefinitions([path.join(root, "none")]), []);
});

test("With its line added, a definition has the memory that purser writes", async (t) => {
  const folder = scratchFolder(t);
  const head = fc.array(fc.stringMatching(/^[a-z]{1,8}: [\w :#'"-]{0,20}$/u), { maxLength: 5 });
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      head.map((lines) => lines.filter((line) => !/^(memory|name):/u.test(line))),
      fc.constantFrom("\n", "\r\n"),
      fc.string(),
      async (lines, ending, body) => {
        const text = ["---", ...lines, "---", body].join(ending);
        const index = memoryLineIndex(text);
        assert.equal(index, lines.length + 1);
        const written = text.split(ending).toSpliced(index, 0, memoryLine).join(ending);
        number += 1;
        const own = path.join(folder, String(number));
        put(own, "scout.md", written);
        const [found] = await agentDefinitions([own]);
        assert.equal(found?.memory, "user");
      },
    ),
    { numRuns: 50 },
  );
  for (const text of ["", "Just text", "---\nname: scout\n", " ---\nname: scout\n---\n"])
    assert.equal(memoryLineIndex(text), null, JSON.stringify(text));
});

test("Every known agent is offered once, with its origins", () => {
  assert.deepEqual(agentOffers({ rules: ["sql", "sql", "old"], golden: ["sql"], own: ["Scout", "sql"] }), [
    { name: "old", from: ["rules"] },
    { name: "Scout", from: ["own"] },
    { name: "sql", from: ["rules", "golden", "own"] },
  ]);
});
