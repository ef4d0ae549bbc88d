import assert from "node:assert/strict";
import { test } from "node:test";
import { placesByAgent } from "../../../src/engine/sessions/live-snapshot.ts";

test("searched folders are listed by agent, each folder once, in the order in which they are searched", () => {
  const roots = [
    { agent: "claude-code", path: "/h/.claude", exists: true },
    { agent: "codex", path: "/h/.codex/sessions", exists: false },
    { agent: "claude-code", path: "/h/.config/claude", exists: false },
  ] as const;
  assert.deepEqual(placesByAgent({ roots }), [
    {
      agent: "claude-code",
      folders: [
        { path: "/h/.claude", exists: true },
        { path: "/h/.config/claude", exists: false },
      ],
    },
    { agent: "codex", folders: [{ path: "/h/.codex/sessions", exists: false }] },
  ]);
  assert.deepEqual(placesByAgent({ roots: [] }), []);
});
