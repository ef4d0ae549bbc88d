import { plainSentence } from "../../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { configurationHash, type Configuration } from "../../../../src/engine/bench/configuration.ts";
import {
  applyOverlay,
  isBelow,
  withProjectMemory,
} from "../../../../src/engine/bench/execute/install-agent.ts";
import { configuration } from "../support/tiny-suite.ts";

test("a memory of any scope is moved into the copy", () => {
  for (const scope of ["user", "local", "project", ' "user" # mine'])
    assert.equal(
      withProjectMemory(`---\nname: a\nmemory: ${scope}\ntools: Read\n---\nmemory: user\n`, false),
      "---\nname: a\nmemory: project\ntools: Read\n---\nmemory: user\n",
    );
  assert.equal(
    withProjectMemory("---\r\nname: a\r\nmemory: user\r\n---\r\nx", false),
    "---\r\nname: a\r\nmemory: project\r\n---\r\nx",
  );
});

test("a definition without a memory gets one when there is one to put there, and is left alone otherwise", () => {
  const definition = "---\nname: a\n---\nText\n";
  assert.equal(withProjectMemory(definition, false), definition);
  assert.equal(withProjectMemory(definition, true), "---\nname: a\nmemory: project\n---\nText\n");
  assert.equal(withProjectMemory("No frontmatter", true), "No frontmatter");
});

test("an overlay writes and removes files of the copy, and nothing elsewhere", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "purser-overlay-"));
  try {
    await writeFile(path.join(copy, "gone.md"), "x");
    const files = [
      { path: ".claude/settings.json", text: "{}" },
      { path: "gone.md", text: null },
    ];
    assert.equal((await applyOverlay(copy, files)).ok, true);
    assert.equal(await readFile(path.join(copy, ".claude/settings.json"), "utf8"), "{}");
    assert.equal(existsSync(path.join(copy, "gone.md")), false);
    const refused = await applyOverlay(copy, [
      { path: "a.md", text: "a" },
      { path: "../b.md", text: "b" },
    ]);
    assert.equal(refused.ok, false);
    assert.equal(existsSync(path.join(copy, "a.md")), false);
  } finally {
    await rm(copy, { recursive: true });
  }
});

test("no path that is taken for one below leaves the copy", () => {
  const part = fc.constantFrom("..", ".", "", "a", "b.md", "node_modules", "C:", "a\\..\\..", "\u0000");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const file = parts.join("/");
      if (!isBelow(file)) return;
      for (const paths of [path.posix, path.win32])
        assert.ok(paths.resolve("/copy", file).replaceAll("\\", "/").includes("/copy/"));
      assert.ok(!file.startsWith("node_modules"));
    }),
  );
});

test("a configuration's hash covers its content, not its name", () => {
  const overlay = [
    { path: "b", text: "1" },
    { path: "a", text: null },
  ];
  const one: Configuration = { ...configuration("one", "A rule."), overlay };
  assert.equal(
    configurationHash(one),
    configurationHash({ ...one, label: plainSentence("other"), overlay: overlay.toReversed() }),
  );
  const others: Partial<Configuration>[] = [
    { memory: null },
    { memory: "A rule" },
    { model: "claude-haiku-4-5" },
    { effort: "high" },
    { definition: "" },
    { agent: "sql" },
    { overlay: [{ path: "a", text: "" }] },
  ];
  const hashes = others.map((other) => configurationHash({ ...one, ...other }));
  assert.equal(new Set([...hashes, configurationHash(one)]).size, others.length + 1);
});
