import test from "node:test";
import fc from "fast-check";
import * as z from "zod/mini";
import { leaveOut, paragraphAt, serverAt, withoutServer } from "../../../src/engine/compare/leave-out.ts";
import { textOfLines, withoutLines } from "../../../src/engine/instructions/markdown-section.ts";
import { serversIn } from "../../../src/engine/bench/configuration.ts";
import { compareAsk } from "../../../src/engine/jobs/answers/compare.ts";
import type { InstructionFile } from "../../../src/engine/instructions/instruction-file.ts";
import { assert } from "../support/assert-texts.ts";

const file: InstructionFile = {
  kind: "instructions",
  name: "CLAUDE.md",
  folder: "/work/app",
  programs: ["claude-code"],
  path: "CLAUDE.md",
};
const agentFile: InstructionFile = { ...file, kind: "agent", name: "sql", path: ".claude/agents/sql.md" };
const text =
  "---\na: b\n---\nIntro\nmore\n\n# One\n\nFirst.\n\n```\ncode\n\n# none\n```\n\n# Two\n\nSecond.\n";

test("The paragraph at a line: lines between blank ones, a heading's section, code's section, none in frontmatter", () => {
  const at = (line: number) => paragraphAt(text, line);
  assert.deepEqual([at(0), at(1)], [null, null]);
  assert.deepEqual(at(4), { start: 3, end: 5 });
  assert.deepEqual(at(6), { start: 6, end: 16 });
  assert.deepEqual(at(8), { start: 8, end: 9 });
  assert.deepEqual(at(9), { start: 6, end: 16 }, "a blank line is of its section");
  for (const line of [10, 11, 13, 14]) assert.deepEqual(at(line), { start: 6, end: 16 }, `line ${line}`);
  assert.deepEqual([at(5), at(99), paragraphAt("", 0)], [null, null, null]);
});

test("A paragraph is part of the file, in whole lines", () => {
  const line = fc.constantFrom("# One", "## Two", "", "words", "```", "---", "<!-- -->");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (lines, at) => {
      const all = lines.join("\n");
      const span = paragraphAt(all, at);
      if (span === null) return;
      assert.ok(span.start <= at && at < span.end);
      const removed = textOfLines(all, span.start, span.end);
      assert.equal(withoutLines(all, span.start, span.end).length + removed.length, all.length);
    }),
  );
});

test("A whole file or a section is left out by its name, other lines by their numbers", () => {
  const whole = leaveOut(text, file, null);
  const place = { is: "file", path: "CLAUDE.md" };
  assert.ok(whole.ok);
  assert.deepEqual(whole.value, {
    change: { kind: "without", file: place, text, heading: null },
    shared: [],
    agent: null,
  });
  const section = leaveOut(text, file, { start: 16, end: 19 });
  assert.ok(section.ok && section.value.change.kind === "without");
  assert.equal(section.value.change.heading, "Two");
  const lines = leaveOut(text, file, { start: 3, end: 5 });
  assert.ok(lines.ok && lines.value.change.kind === "setting");
  assert.equal(lines.value.change.name, "CLAUDE.md less lines 4-5");
  assert.deepEqual(lines.value.shared, [{ path: "CLAUDE.md", text }]);
  assert.equal(lines.value.change.files[0]?.text, text.replace("Intro\nmore\n", ""));
  const twice = "# A\nx\n# A\ny\n";
  const second = leaveOut(twice, file, { start: 2, end: 4 });
  assert.ok(second.ok && second.value.change.kind === "setting");
});

test("Any part that can be left out can be compared", () => {
  const asked = z.partial(compareAsk);
  for (const span of [null, { start: 16, end: 19 }, { start: 3, end: 5 }]) {
    const left = leaveOut(text, file, span);
    assert.ok(left.ok);
    const { change, shared } = left.value;
    assert.deepEqual(asked.parse({ change, shared }), { change, shared });
  }
});

test("From an agent only a named section can be left out; files outside projects cannot", () => {
  const definition = "---\nname: scout\n---\nYou look.\n\n# How\n\nSlowly.\n";
  const how = leaveOut(definition, agentFile, { start: 5, end: 8 });
  assert.ok(how.ok && how.value.change.kind === "without");
  assert.deepEqual([how.value.agent, how.value.change.file], ["scout", { is: "definition" }]);
  const reason = (found: ReturnType<typeof leaveOut>) => (found.ok ? null : found.reason);
  assert.equal(reason(leaveOut(definition, agentFile, null)), "whole_agent");
  assert.equal(reason(leaveOut(definition, agentFile, { start: 3, end: 4 })), "no_heading");
  assert.equal(reason(leaveOut(text, { ...file, path: null }, null)), "elsewhere");
  assert.equal(reason(leaveOut(text, file, { start: 5, end: 6 })), "nothing");
});

test("The MCP server at a place of .mcp.json, and the file without it", () => {
  const json =
    '{ "mcpServers": { "db": { "command": "db-server" }, "web": { "url": "http://x" } }, "other": 1 }';
  assert.equal(serverAt(json, json.indexOf("db-server")), "db");
  assert.equal(serverAt(json, json.indexOf("url")), "web");
  assert.deepEqual([serverAt(json, json.indexOf("other")), serverAt("{", 1)], [null, null]);
  assert.deepEqual([serversIn(json), serversIn("{"), serversIn("[]")], [["db", "web"], [], []]);
  const left = withoutServer(json, "db");
  assert.ok(left.ok && left.value.change.kind === "setting");
  const rest = JSON.stringify({ mcpServers: { web: { url: "http://x" } }, other: 1 }, null, 2);
  assert.deepEqual(left.value.change.files, [{ path: ".mcp.json", text: rest }]);
  assert.deepEqual(left.value.shared, [{ path: ".mcp.json", text: json }]);
  assert.equal(withoutServer(json, "constructor").ok, false);
});
