import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { makeRenaming } from "./renaming.ts";
import { neutralText, sanitizeRow, textsIn } from "./sanitize.ts";

const renaming = makeRenaming(
  "test",
  ["2026-05-01T10:00:00.000Z"],
  [["/scratch/x", "/home/dev"]],
  () => 1000,
);

test("renames ids, times and folders, keeps our own words, and neutralizes all else", () => {
  const row = {
    type: "user",
    sessionId: "7f1c2a4e-1111-4222-8333-944455556666",
    timestamp: "2026-05-01T10:00:00.000Z",
    cwd: "/scratch/x",
    message: { role: "user", content: "Our own prompt." },
    attachment: { type: "notes", names: ["a secret", "another"], text: "A secret." },
    tools: [{ name: "Secret", schema: {} }],
    count: 7,
  };
  assert.deepEqual(sanitizeRow(row, renaming, new Set(["Our own prompt."])), {
    type: "user",
    sessionId: renaming.rename(row.sessionId),
    timestamp: "2026-11-02T09:00:01.000Z",
    cwd: "/home/dev",
    message: { role: "user", content: "Our own prompt." },
    attachment: { type: "notes", names: [neutralText], text: neutralText },
    tools: [{ name: "Read", description: neutralText, input_schema: { type: "object" } }],
    count: 7,
  });
});

test("no text with a blank in it ever comes through but our own", () => {
  const own = new Set(["our words"]);
  fc.assert(
    fc.property(fc.json({ depthSize: "small" }), (json) => {
      const texts = textsIn(sanitizeRow(JSON.parse(json), renaming, own));
      const strange = texts.filter((text) => /\s/.test(text) && text !== neutralText && !own.has(text));
      assert.deepEqual(strange, []);
    }),
  );
});
