import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { guardReplayJson } from "../../../../src/engine/cli/guard/guard-schema.ts";
import { Scratch } from "../support/support.ts";

const session = "0c000000-0000-4000-8000-000000000001";
const long = `${"Downloading the same thing again and again\n".repeat(200)}done\n`;

function row(type: string, content: unknown, id = "") {
  const message = type === "assistant" ? { id, model: "claude-sonnet-4-5", content } : { content };
  return JSON.stringify({
    type,
    message,
    sessionId: session,
    cwd: "/home/ann/shop",
    timestamp: "2026-11-02T09:00:00Z",
  });
}

function used(id: string, command: string) {
  return row("assistant", [{ type: "tool_use", id, name: "Bash", input: { command } }], `m-${id}`);
}

function printed(id: string, content: string) {
  return row("user", [{ type: "tool_result", tool_use_id: id, content }]);
}

test("the user's own sessions are judged by today's rules, and nothing is written", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const folder = path.join(scratch.root, "projects/-home-ann-shop");
  mkdirSync(folder, { recursive: true });
  const rows = [
    row("user", "Go on"),
    used("a", "rm -rf ~"),
    printed("a", "no"),
    used("b", "make fetch"),
    printed("b", long),
    row("assistant", [{ type: "text", text: "Done." }], "m-c"),
    row("assistant", [{ type: "text", text: "Really." }], "m-d"),
  ];
  writeFileSync(path.join(folder, `${session}.jsonl`), `${rows.join("\n")}\n`);
  const before = readdirSync(scratch.root, { recursive: true });
  const { code, stdout, stderr } = await scratch.purser([
    "guard",
    "replay",
    "--since",
    "2000-01-01",
    "--json",
  ]);
  assert.deepEqual([code, stderr], [0, ""]);
  const replay = guardReplayJson.parse(JSON.parse(stdout));
  assert.deepEqual(
    replay.rules.map(({ rule, action, count, newest }) => [rule, action, count, newest[0]?.excerpt]),
    [["delete-home", "ask", 1, `rm -rf ${scratch.root}`]],
  );
  const { total } = replay.outputs;
  assert.ok(total.outputs === 1 && total.written > 1000);
  assert.equal(total.read, total.written);
  assert.deepEqual(readdirSync(scratch.root, { recursive: true }), before);
  const text = (await scratch.purser(["guard", "replay", "--since", "2000-01-01"])).stdout;
  assert.match(text, /^2 tool calls of 1 sessions since 2000-01-01/u);
  assert.match(text, /delete-home +safety +ask you +1 +1\n/u);
  assert.match(text, /smaller-output-\S+ +1 /u);
  const secrets = await scratch.purser(["guard", "replay", "--since", "2000-01-01", "--family", "secrets"]);
  assert.match(secrets.stdout, /No rule would have fired\.\n\nNo output would have been shortened\./u);
});
