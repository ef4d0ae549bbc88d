import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { callerOf, hookCallers, hookPrograms } from "../../../src/engine/hooks/program.ts";
import { isReportedElsewhere } from "../../../src/engine/hooks/server.ts";
import { scratchFolder } from "../support/scratch.ts";

const copilot = { COPILOT_CLI: "1" };
const editor = { VSCODE_ESM_ENTRYPOINT: "vs/workbench/api/node/extensionHostProcess" };
const hookInput = { timestamp: "2026-11-22T10:00:00Z", cwd: "/argo" };
const chat = {
  ...hookInput,
  transcript_path: "/u/workspaceStorage/1/GitHub.copilot-chat/transcripts/c-1.jsonl",
};

describe("the program that runs a hook", () => {
  for (const [what, program, hook, env, expected] of [
    ["Claude Code", "claude-code", { cwd: "/argo" }, {}, "claude-code"],
    ["Claude Code, begun by a tool of Copilot CLI", "claude-code", { cwd: "/argo" }, copilot, "claude-code"],
    ["Claude Code, begun by an extension", "claude-code", { cwd: "/argo" }, editor, "claude-code"],
    ["Copilot CLI, with a project's hook for Claude Code", "claude-code", hookInput, copilot, "copilot"],
    ["Copilot CLI", "copilot", hookInput, copilot, "copilot"],
    ["Copilot CLI, begun in the editor", "copilot", hookInput, { ...copilot, ...editor }, "copilot"],
    ["VS Code, with Copilot CLI's hook", "copilot", hookInput, editor, "vscode"],
    ["VS Code, by the place of its transcript", "copilot", chat, {}, "vscode"],
    ["VS Code, with a project's hook for Claude Code", "claude-code", chat, editor, "vscode"],
    ["Codex, whatever else runs", "codex", chat, { ...copilot, ...editor }, "codex"],
    ["Gemini CLI, which tells the time too", "gemini", hookInput, copilot, "gemini"],
    ["unknown for what is no hook", "claude-code", null, copilot, "claude-code"],
  ] as const)
    it(`is ${what}`, () => assert.equal(callerOf(program, hook, env), expected));

  it("is one of the known programs for any input", () => {
    const value = fc.oneof(fc.string(), fc.constantFrom("1", ...Object.values(editor)));
    const env = fc.dictionary(fc.constantFrom("COPILOT_CLI", "VSCODE_ESM_ENTRYPOINT"), value);
    fc.assert(
      fc.property(fc.constantFrom(...hookPrograms), fc.jsonValue(), env, (program, hook, each) =>
        hookCallers.includes(callerOf(program, hook, each)),
      ),
    );
  });
});

describe(
  "a project's hook for Claude Code that Copilot CLI runs",
  { skip: process.platform === "win32" },
  () => {
    const asked = { program: "claude-code", caller: "copilot" } as const;
    const installed = JSON.stringify({
      version: 1,
      hooks: { Stop: [{ bash: "node x --purser-hook=copilot:Stop" }] },
    });

    it("counts if it is the only one", (t) => {
      const home = scratchFolder(t);
      assert.equal(isReportedElsewhere({ ...asked, hook: hookInput }, { env: {}, home }), false);
    });

    it("counts once if purser's own hook for Copilot CLI runs too: the user's, or the project's", (t) => {
      const home = scratchFolder(t);
      const argo = path.join(home, "argo");
      for (const folder of [path.join(home, ".copilot", "hooks"), path.join(argo, ".github", "hooks")]) {
        mkdirSync(folder, { recursive: true });
        const file = path.join(folder, "purser.json");
        writeFileSync(file, installed);
        for (const [env, hook] of [
          [{}, { ...hookInput, cwd: argo }],
          [{ COPILOT_PROJECT_DIR: argo }, { ...hookInput, cwd: path.join(argo, "src") }],
        ] as const)
          assert.equal(isReportedElsewhere({ ...asked, hook }, { env, home }), true, folder);
        const itself = { program: "copilot", caller: "copilot", hook: hookInput } as const;
        assert.equal(isReportedElsewhere(itself, { env: {}, home }), false);
        const claude = { program: "claude-code", caller: "claude-code", hook: hookInput } as const;
        assert.equal(isReportedElsewhere(claude, { env: {}, home }), false);
        writeFileSync(file, "{}");
      }
      assert.equal(
        isReportedElsewhere({ ...asked, hook: { ...hookInput, cwd: argo } }, { env: {}, home }),
        false,
      );
    });
  },
);
