import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import fc from "fast-check";
import type { AgentName } from "../../../src/engine/transcripts/agents.ts";
import { resumeCommand } from "../../../src/extension/sessions/reopen-session.ts";

const agent = "claude-code";

test("leaves plain words unchanged", () => {
  const id = "5f0c0000-0000-4000-8000-000000000001";
  assert.equal(
    resumeCommand({ agent, id, cwd: "/home/dev/my-app" }, "linux"),
    `cd /home/dev/my-app && claude --resume ${id}`,
  );
  assert.equal(resumeCommand({ agent, id, cwd: null }, "linux"), `claude --resume ${id}`);
  assert.equal(
    resumeCommand({ agent, id, cwd: "C:\\Users\\me\\it's" }, "win32"),
    `cd 'C:\\Users\\me\\it''s'; claude --resume ${id}`,
  );
});

test(
  "a shell takes any folder and id as words, and runs nothing of them",
  { skip: process.platform === "win32" },
  () => {
    const texts = fc.array(fc.string({ unit: "grapheme-ascii", minLength: 1 }), { minLength: 20 });
    fc.assert(
      // One shell takes many commands: starting it costs more than they do.
      fc.property(texts, (all) => {
        const lines = all.map((text) => {
          const line = resumeCommand({ agent, id: text, cwd: text }, "linux") ?? assert.fail();
          return line.replace(/^cd /u, "show ").replace("&& claude --resume ", "&& show ");
        });
        // `printf` replaces both programs and prints the arguments it received.
        const script = [`show() { printf '<%s>' "$1"; }`, ...lines].join("\n");
        const output = execFileSync("sh", ["-c", script], { encoding: "utf8" });
        assert.equal(output, all.map((text) => `<${text}><${text}>`).join(""));
      }),
      { numRuns: 5 },
    );
  },
);

test("removes or doubles what could end a quotation or a paste", () => {
  const odd = { agent: "claude-code" as const, id: "a", cwd: "/x\u2019; calc \u001b[201~\n\u009b" };
  assert.equal(resumeCommand(odd, "win32"), "cd '/x\u2019\u2019; calc [201~'; claude --resume a");
  assert.equal(resumeCommand(odd, "linux"), "cd '/x\u2019; calc [201~' && claude --resume a");
});

test("each agent is resumed by its own program", () => {
  const of = (name: AgentName) => resumeCommand({ agent: name, id: "a", cwd: null }, "linux");
  assert.deepEqual(
    [of("codex"), of("copilot"), of("gemini")],
    ["codex resume a", "copilot --resume=a", "gemini --resume a"],
  );
});
