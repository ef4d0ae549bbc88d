import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { compressTool } from "../../../../src/engine/guard/output/compress-from.ts";
import { isFor } from "../../../../src/engine/guard/output/rival-hooks.ts";
import { outputSource, type ToolFormat } from "../../../../src/engine/guard/output/tool-answers.ts";
import { replaceableToolOutput } from "../../../../src/engine/hooks/event/tool-output.ts";
import { hookPrograms } from "../../../../src/engine/hooks/program.ts";
import { restoredJson } from "./compressors/support/restored.ts";

/** Matches of a search in one file, each on a line of its own far from the next. */
const many = (file: string, count: number, step = 3): string[] =>
  Array.from({ length: count }, (_, index) => `${file}:${index * step + 1}:  const rope${index} = knot();`);

describe("an answer of a tool", () => {
  const formats: readonly (readonly [string, unknown, unknown, ToolFormat | null])[] = [
    ["Grep", { pattern: "rope" }, { mode: "content", content: "" }, "matches"],
    ["Grep", { pattern: "rope" }, { mode: "files_with_matches", filenames: [] }, "paths"],
    ["Glob", { pattern: "*.ts" }, { filenames: [] }, "paths"],
    ["WebFetch", { url: "https://a.example" }, { result: "" }, "page"],
    ["mcp__shop__list_orders", {}, [], "data"],
    ["mcp__files__read_text", {}, [], null],
    ["mcp__read__list", {}, [], "data"],
    ["Read", { file_path: "a" }, { file: {} }, null],
    ["Agent", {}, { content: [] }, null],
    ["search_file_content", { pattern: "rope" }, "", "matches"],
    ["list_directory", { path: "src" }, "", "paths"],
    ["grep", { pattern: "rope" }, "", "matches"],
  ];
  for (const [tool_name, tool_input, tool_response, format] of formats)
    it(`of ${tool_name} is ${format ?? "left alone"}`, () => {
      const source = outputSource({ tool_name, tool_input, tool_response });
      assert.equal(source?.kind === "tool" ? source.format : null, format);
    });

  it("with many matches in one file names the file once and keeps every match", () => {
    const lines = [...many("src/knots.ts", 200), ...many("src/ropes.ts", 4)];
    const text = compressTool(lines.join("\n"), "Grep", "matches")?.text ?? "";
    assert.match(text, /^src\/knots\.ts\n1:/mu);
    for (let index = 0; index < 200; index += 1) assert.ok(text.includes(`rope${index} `));
    assert.match(text, /^src\/ropes\.ts\n1:/mu);
  });

  it("with a file's text is not cut: adjacent lines are kept", () => {
    const lines = many("src/knots.ts", 200, 1);
    const text = compressTool(lines.join("\n"), "Grep", "matches")?.text ?? "";
    for (let index = 0; index < 200; index += 1) assert.ok(text.includes(`const rope${index} =`));
  });

  it("of a server keeps all its data if it is JSON", () => {
    const orders = Array.from({ length: 300 }, (_, id) => ({ id, knot: id === 150 ? "reef" : "bowline" }));
    const made = compressTool(JSON.stringify(orders), "mcp__shop__list", "data");
    assert.equal(made?.compressor, "json");
    assert.deepEqual(restoredJson(made.text), orders);
  });

  it("that is short or became smaller before does not change", () => {
    assert.equal(compressTool(many("a.ts", 20).join("\n"), "Grep", "matches"), null);
    const once = compressTool(many("a.ts", 200).join("\n"), "Grep", "matches")?.text ?? "";
    assert.equal(compressTool(once, "Grep", "matches"), null);
  });
});

describe("the replacement for a tool's answer", () => {
  const replaced = (tool_name: string, tool_response: unknown) =>
    replaceableToolOutput({ tool_name, tool_response }, "claude-code")?.withText("one\ntwo").response;

  it("has the whole shape that Claude Code reported", () => {
    const content = { mode: "content", content: "a", numLines: 1, totalLines: 1, filenames: [], numFiles: 0 };
    assert.deepEqual(replaced("Grep", content), { ...content, content: "one\ntwo" });
    const names = { mode: "files_with_matches", filenames: ["a", "b", "c"], numFiles: 3, totalFiles: 3 };
    assert.deepEqual(replaced("Grep", names), { ...names, filenames: ["one", "two"] });
    const found = { filenames: ["a"], numFiles: 1, durationMs: 2, truncated: false };
    assert.deepEqual(replaced("Glob", found), { ...found, filenames: ["one", "two"] });
    const page = { bytes: 1, code: 200, codeText: "OK", result: "a", durationMs: 1, url: "u" };
    assert.deepEqual(replaced("WebFetch", page), { ...page, result: "one\ntwo" });
    const image = { type: "image", data: "a" };
    const blocks = [{ type: "text", text: "a" }, image, { type: "text", text: "longer", more: 1 }];
    const expected = [blocks[0], image, { type: "text", text: "one\ntwo", more: 1 }];
    assert.deepEqual(replaced("mcp__a__b", blocks), expected);
    assert.equal(replaced("mcp__a__b", "a"), "one\ntwo");
  });

  it("is empty for an unknown shape", () => {
    for (const response of [
      null,
      "a",
      [],
      {},
      { mode: "content" },
      { filenames: [1] },
      { filenames: ["a\nb"] },
    ])
      for (const tool of ["Grep", "Glob", "WebFetch", "Task"])
        assert.equal(replaced(tool, response), undefined);
    for (const response of [null, {}, [], [{ type: "image" }], [{ type: "text", text: 3 }]])
      assert.equal(replaced("mcp__a__b", response), undefined);
  });
});

const line = fc.oneof(
  fc
    .tuple(fc.constantFrom("a.ts", "b/c.ts", "dist/d.js"), fc.nat(5000), fc.string({ maxLength: 40 }))
    .map(([file, number, text]) => `${file}:${number}:${text}`),
  fc.constantFrom("a/b/c.ts", "a/b/d.ts", "--", "", "error: it broke", "Error: no rope"),
  fc.string({ maxLength: 60 }),
);
const text = fc.oneof(
  fc.array(line, { maxLength: 300 }).map((lines) => lines.join("\n")),
  fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(200))
    .map(([lines, times]) => Array.from({ length: times }, () => lines.join("\n")).join("\n")),
  fc.json({ maxDepth: 4 }),
);
const format = fc.constantFrom<ToolFormat>("matches", "paths", "page", "data");

test("a shortened answer is smaller, has every error, and is not shortened again", () => {
  fc.assert(
    fc.property(text, format, (whole, form) => {
      const smaller = compressTool(whole, "Grep", form);
      if (smaller === null) return;
      assert.ok(Buffer.byteLength(whole) >= 2048);
      assert.ok(Buffer.byteLength(smaller.text) <= Buffer.byteLength(whole) * 0.9);
      if (!/^\s*[[{]/u.test(whole))
        for (const each of new Set(whole.split("\n")))
          if (/^(?:error|Error): /u.test(each)) assert.ok(smaller.text.includes(each), each);
      assert.equal(compressTool(smaller.text, "Grep", form), null);
    }),
    { numRuns: 500 },
  );
});

test("handles answers of any form, and the replacement keeps all other members", () => {
  const name = fc.constantFrom("Grep", "Glob", "WebFetch", "mcp__a__b", "grep", "list_directory", "");
  const program = fc.constantFrom(...hookPrograms);
  fc.assert(
    fc.property(name, fc.anything(), program, (tool_name, tool_response, caller) => {
      outputSource({ tool_name, tool_input: tool_response, tool_response });
      replaceableToolOutput({ tool_name, tool_response }, caller)?.withText("a");
    }),
  );
});

test("a matcher applies to the tools that it names", () => {
  assert.ok(isFor("*", "Grep"));
  assert.ok(isFor("Edit|Grep", "Grep"));
  assert.ok(isFor("mcp__.*", "mcp__a__b"));
  assert.ok(isFor("(", "Grep"));
  assert.ok(!isFor("Bash", "Grep"));
  assert.ok(!isFor("BashOutput", "Bash"));
});
