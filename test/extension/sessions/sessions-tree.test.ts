import assert from "node:assert/strict";
import { test } from "node:test";
import { childrenOf, nodeId, projectNodes } from "../../../src/extension/sessions/sessions-tree.ts";
import { now, session, subagent } from "../support/session.ts";

test("lists projects with their sessions, this window's first, the rest by activity", () => {
  const all = [
    session({ id: "1", cwd: "/other" }),
    session({ id: "2", cwd: "/here" }),
    session({ id: "3", cwd: "/other" }),
    session({ id: "4", cwd: "/third" }),
  ];
  const nodes = projectNodes(all, ({ cwd }) => cwd === "/here");
  assert.deepEqual(
    nodes.map((node) => [nodeId(node), childrenOf(node).map(nodeId)]),
    [
      ["project /here", ["session 2"]],
      ["project /other", ["session 1", "session 3"]],
      ["project /third", ["session 4"]],
    ],
  );
});

test("a session's subagents are below it, the latest first", () => {
  const parent = session({
    id: "s",
    subagents: [
      subagent({ id: "old", lastActivity: now - 9000 }),
      subagent({ id: "new", lastActivity: now }),
    ],
  });
  const children = childrenOf({ kind: "session", session: parent });
  assert.deepEqual(children.map(nodeId), ["subagent s new", "subagent s old"]);
  assert.deepEqual(
    children.flatMap((node) => childrenOf(node)),
    [],
  );
});

test("lists work that a new session could continue before its subagents", () => {
  const parent = session({ id: "s", subagents: [subagent({ id: "a" })] });
  const offer = { sessionId: "before", program: "codex", title: "Tides", at: now, turns: 9 };
  const children = childrenOf({ kind: "session", session: parent }, () => offer);
  assert.deepEqual(children.map(nodeId), ["offer s before", "subagent s a"]);
  assert.deepEqual(
    children.flatMap((node) => childrenOf(node, () => offer)),
    [],
  );
});
