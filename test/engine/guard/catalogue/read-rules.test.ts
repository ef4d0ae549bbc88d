import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { catalogue } from "../../../../src/engine/guard/catalogue/all.ts";
import { readRules } from "../../../../src/engine/guard/catalogue/read-rules.ts";
import { guardFile } from "../../../../src/engine/guard/user-rules/file-schema.ts";
import { scratchFolder } from "../../support/scratch.ts";

const folder = path.resolve(import.meta.dirname, "../../../../src/engine/guard/catalogue");

describe("the catalogue's YAML files", () => {
  const read = readRules(folder);
  const files = read.ok ? read.value : {};

  it("have the schema of guard.yaml", () => {
    assert.ok(read.ok, read.ok ? "" : read.detail.text);
    assert.ok(Object.keys(files).length > 40, "files are found");
    for (const [file, rules] of Object.entries(files))
      assert.ok(guardFile.safeParse({ rules }).success, file);
  });

  it("are all part of the catalogue", () => {
    const ids = new Set(catalogue.map(({ id }) => id));
    const without = Object.entries(files).filter(([, rules]) => rules.some(({ id }) => !ids.has(id)));
    assert.deepEqual(
      without.map(([file]) => file),
      [],
    );
  });
});

describe("a file of rules", () => {
  const lines = [
    "rules:",
    "  - id: no-push",
    "    family: safety",
    "    match:",
    "      - program: &programs git|jj",
    "        words: push",
    "        operand:",
    "          like: main",
    "      - program: *programs",
    "        words: send",
    "    message: This pushes.",
    "    remedy: Ask first.",
  ];

  it("names a repeated text once", (t) => {
    const place = scratchFolder(t);
    writeFileSync(path.join(place, "pushing.yaml"), lines.join("\n"));
    const read = readRules(place);
    assert.ok(read.ok);
    const programs = read.value["pushing"]?.[0]?.match.map((match) => "program" in match && match.program);
    assert.deepEqual(programs, ["git|jj", "git|jj"]);
  });

  it("is refused for an unknown field anywhere: the fault has file and line", (t) => {
    const place = scratchFolder(t);
    mkdirSync(path.join(place, "git"));
    const name = fc.stringMatching(/^[a-z]{3,10}$/u).map((word) => `x-${word}`);
    fc.assert(
      fc.property(fc.integer({ min: 3, max: lines.length }), name, (at, field) => {
        // The field stands before another one, in the same map, or at the end of the rule.
        const next = lines[at] ?? "    ";
        fc.pre(!next.includes("- "));
        const indent = next.length - next.trimStart().length;
        const text = [...lines.slice(0, at), `${" ".repeat(indent)}${field}: 1`, ...lines.slice(at)];
        writeFileSync(path.join(place, "git/pushing.yaml"), text.join("\n"));
        const read = readRules(place);
        assert.ok(!read.ok);
        assert.match(
          read.detail.text,
          new RegExp(`^git/pushing\\.yaml: line ${at + 1}: .*"${field}"$`, "mu"),
        );
      }),
    );
  });
});
