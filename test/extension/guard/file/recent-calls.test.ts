import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readExample } from "../../../../src/engine/guard/calls/example.ts";
import { recentCalls } from "../../../../src/extension/guard/file/recent-calls.ts";

const hit = (tool: string | null, excerpt: string | null) => ({ tool, excerpt });

test("calls that rules fired on are written as examples are, each once, the newest first", () => {
  assert.deepEqual(
    recentCalls([
      hit("Bash", "rm -rf build"),
      hit("Read", "/home/ann/.env"),
      hit("run_shell_command", "git push --force"),
      hit("Bash", "rm -rf build"),
      hit("Write", "/home/ann/a b.ts"),
      hit("PowerShell", "Remove-Item x"),
    ]),
    [
      "rm -rf build",
      "Read(/home/ann/.env)",
      "git push --force",
      "Edit(/home/ann/a b.ts)",
      "PowerShell(Remove-Item x)",
    ],
  );
});

test("leaves out truncated calls, calls with unknown parts, and other excerpts", () => {
  const left = [
    hit(null, "ls"),
    hit("Bash", null),
    hit("Bash", " "),
    hit("Bash", "cat a…"),
    hit("Bash", "rm \uFFFC"),
    hit("Bash", "a\nb"),
    hit("Grep", "x"),
    hit("mcp__x__y", "z"),
  ];
  assert.deepEqual(recentCalls(left), []);
});

test("offers at most forty readable calls from any ledger", () => {
  const text = fc.option(fc.string({ unit: "grapheme" }));
  const hits = fc.array(fc.record({ tool: fc.oneof(text, fc.constantFrom("Bash", "Edit")), excerpt: text }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(hits, (some) => {
      const calls = recentCalls(some);
      assert.ok(calls.length <= 40 && new Set(calls).size === calls.length);
      for (const call of calls) readExample(call);
    }),
  );
});
