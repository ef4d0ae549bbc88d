import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openEditorWindow, statusId, type EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Transcript } from "../transcript.ts";
import { madeSessions } from "../transcripts/agents.ts";
import { makeEvents } from "../transcripts/copilot.ts";

const limit = 180_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine

/** Sessions of several agents that work in one window's folder. */
describe("several agents in one window", { timeout: limit }, () => {
  let editor: EditorWindow;
  let claude: Transcript;
  let codex: Transcript;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest" });
    claude = madeSessions["claude-code"].make(editor.scratch, 1);
    codex = madeSessions.codex.make(editor.scratch, 2);
  });
  after(async () => {
    await editor.workbench.screenshot(join(outFolder, "eyes", "agents.png"));
    await editor.close();
  });
  const status = (pattern: RegExp) =>
    editor.workbench.waitForStatus(statusId, ({ text }) => pattern.test(text), patience);

  it("shows the one there is, without naming it", async () => {
    codex.turn(40_000);
    await status(/^\$\(dashboard\) 20\s?%/u);
  });

  it("shows by an icon which of two is shown", async () => {
    claude.turn(60_000);
    await status(/^\$\(sparkle\) 30\s?%/u);
    codex.turn(44_000);
    await status(/^\$\(terminal\) 22\s?%/u);
  });

  it("shows the most urgent, and the other in the tooltip", async () => {
    codex.turn(180_000);
    assert.equal((await status(/^\$\(error\) 90\s?%/u)).kind, "error");
    claude.turn(64_000);
    const tooltip = await editor.workbench.hoverStatus(statusId);
    assert.match(tooltip, /Codex[^]*180,000\sof\s200,000[^]*Claude Code/u);
    assert.match(tooltip, /Claude Code: [^]*32%/u);
    assert.match((await status(/90\s?%/u)).text, /^\$\(error\)/u, "though the other went on last");
  });

  it("names each session's agent in the view, where there are several", async () => {
    await editor.workbench.runCommand("Purser: Show Sessions");
    await editor.workbench
      .tree("Sessions")
      .getByText(/32\s?%/u)
      .first()
      .waitFor({ timeout: patience });
    const rows = (await editor.workbench.treeRows("Sessions")).join("\n");
    assert.match(rows, /90\s?%[^\n]*Codex/u);
    assert.match(rows, /32\s?%[^\n]*Claude Code/u);
  });

  it("shows tokens without a share where an agent has not named its window", async () => {
    await editor.workbench.clearNotifications();
    makeEvents(editor.scratch, 3, null).turn(83_000);
    await editor.workbench.tree("Sessions").getByText(/83k/u).first().waitFor({ timeout: patience });
    const rows = (await editor.workbench.treeRows("Sessions")).join("\n");
    assert.match(rows, /83k[^\n]*Copilot CLI/u);
  });
});
