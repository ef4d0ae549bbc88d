import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { nodeFiles } from "../../../src/engine/base/disk/file-port.ts";
import { writeProposal } from "../../../src/engine/compare/proposal-files.ts";
import { winningReceipt } from "../../engine/compare/support/winning-receipt.ts";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder, repository } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { makeTranscript } from "../transcript.ts";

const limit = 240_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const opening = 300; // ms for a list to open

const files = {
  "CLAUDE.md": `# Harbor

Tide tables and berth bookings for a small harbor.

## Checks

Run \`node check.mjs\` before you say that something is done, and read what it prints.
${"- A tide table has one row a day, in local time.\n".repeat(600)}
## Style

- Functions are small and named by a verb.
- A comment says why, and never what the next line says.
`,
  ".mcp.json": `${JSON.stringify({ mcpServers: { tides: { command: "tide-server" }, ledger: { url: "http://127.0.0.1:1/" } } }, null, 2)}\n`,
  ".claude/skills/ship/SKILL.md": `---
name: ship
description: How a release of the harbor is made
---
# Steps

Run the checks, then tag.
`,
};

/** The price of instructions as a person sees it, and the actions offered there. */
describe("rent and proposals, as a person sees them", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest", prepare });
    await editor.workbench.waitForStatus(statusId, ({ text }) => text.startsWith("$(dashboard)"), patience);
  });
  after(() => editor.close());
  const picture = (name: string) => editor.workbench.screenshot(join(outFolder, "eyes", `rent-${name}.png`));
  const lens = (text: RegExp) =>
    editor.workbench.page.locator(".codelens-decoration").filter({ hasText: text, visible: true });
  const form = () => editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const quickPick = (text: RegExp) => editor.workbench.quickPickRows().filter({ hasText: text });

  test("shows the cost and the frequency above the file and each heading", async () => {
    const { workbench } = editor;
    await workbench.openFile("CLAUDE.md");
    const whole = lens(/^Whole file: ~[\d,]+ tokens · .+ a week/u);
    await whole.waitFor({ timeout: patience });
    // The first heading covers the whole file, and a short section costs next to nothing.
    assert.equal(await lens(/tokens · ~\$.+ a week/u).count(), 2);
    assert.equal(await lens(/Measure/u).count(), 2);
    await picture("lenses");
  });

  test("Measure opens the form of a comparison without the section", async () => {
    const { workbench } = editor;
    await lens(/Measure/u)
      .nth(1)
      .getByText("Measure", { exact: true })
      .click();
    await form().getByRole("heading", { name: "New Experiment" }).waitFor({ timeout: patience });
    assert.ok(
      await form()
        .getByRole("radio", { name: /^Comparison/u })
        .isChecked(),
    );
    await picture("measure");
    await workbench.runCommand("View: Close Editor");
    await lens(/^Whole file/u).waitFor({ timeout: patience });
  });

  test("a figure leads to what all parts of the file cost", async () => {
    const { workbench } = editor;
    const page = workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
    const heading = page.getByRole("heading", { name: "What CLAUDE.md costs" });
    // An editor that draws its lenses again between press and release loses the click. A person clicks once more.
    const end = Date.now() + patience;
    do
      await lens(/^Whole file/u)
        .getByText(/^Whole file/u)
        .click();
    while (
      Date.now() < end &&
      (await Promise.allSettled([heading.waitFor({ timeout: 5000 })]))[0].status === "rejected"
    );
    await heading.waitFor();
    await picture("page");
    await workbench.runCommand("View: Close Editor");
    await lens(/^Whole file/u).waitFor({ timeout: patience });
  });

  test("commands are offered where they make sense, and nowhere else", async () => {
    const { workbench } = editor;
    const box = await workbench.page.locator(".monaco-editor .view-lines").first().boundingBox();
    assert.ok(box !== null);
    // Within the text that is on the screen: the file is long.
    const at = [box.x + 80, box.y + 150] as const;
    await workbench.page.mouse.click(...at);
    await workbench.page.mouse.click(...at, { button: "right" });
    await workbench.page.locator(".context-view").getByText("Measure This Paragraph").waitFor();
    await picture("menu");
    await workbench.page.keyboard.press("Escape");
    const offered = await workbench.findCommands("Purser: Measure");
    assert.ok(!offered.some((title) => title.startsWith("Purser: Measure This")));
  });

  test("a skill shows the part in every session, and its uses", async () => {
    const { workbench } = editor;
    // One click opens a folder; the second click of a double click may close it again.
    await workbench.explorerRow(".claude").click();
    await workbench.explorerRow("SKILL.md").dblclick();
    await lens(/^Description: ~[\d,]+ tokens · .+ a week/u).waitFor({ timeout: patience });
    await lens(/Whole file: ~[\d,]+ tokens · .*0 a week/u).waitFor();
    await picture("skill");
    await lens(/Whole file/u)
      .getByText("Measure", { exact: true })
      .click();
    await form()
      .getByRole("option", { name: "sql" })
      .first()
      .waitFor({ state: "attached", timeout: patience });
    await workbench.runCommand("View: Close Editor");
  });

  test("asks for one of several MCP servers", async () => {
    const { workbench } = editor;
    await workbench.openFile(".mcp.json");
    await workbench.page.locator(".monaco-editor .view-lines").first().click({ button: "right" });
    await workbench.chooseInMenu("Measure This Server");
    await quickPick(/^tides/u).waitFor({ timeout: patience });
    await quickPick(/^ledger/u).waitFor();
    await workbench.page.keyboard.press("Escape");
  });

  test("a prompt proposed while the window is open is reported, and shown beside the shipped one", async () => {
    const { workbench, scratch } = editor;
    const shipped = await readFile(join(repository, "golden", "agents", "sql.md"), "utf8");
    const definition = `${shipped.trimEnd()}\n\nRead a file once.\n`;
    const receipt = winningReceipt({ at: Date.now() });
    const written = await writeProposal({ workspace: scratch.workspace, definition, receipt }, nodeFiles);
    assert.ok(written.ok);
    const reported = await workbench.waitForNotification(/A cheaper prompt for sql is proposed/u, patience);
    assert.deepEqual([reported.severity, reported.actions], ["info", ["Show Diff"]]);
    assert.match(reported.message, /It has not been applied\./u);
    await workbench.answerNotification(/cheaper prompt/u, "Show Diff");
    await workbench.page.locator(".monaco-diff-editor").waitFor({ timeout: patience });
    await workbench.page.locator(".tab").filter({ hasText: "sql: shipped ↔ proposed" }).waitFor();
    await workbench.page.locator(".tab").filter({ hasText: "receipt.md" }).waitFor({ timeout: patience });
    await workbench.page
      .frameLocator("iframe.webview")
      .frameLocator("iframe")
      .getByText("Receipt of")
      .waitFor({ timeout: patience });
    await picture("proposal");
    assert.equal(await readFile(join(repository, "golden", "agents", "sql.md"), "utf8"), shipped);
  });

  test("proposals are listed with their verdict", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Open Proposal…");
    await quickPick(/sql.*rewritten prompt saves .* against shipped prompt/su).waitFor({
      timeout: patience,
    });
    await workbench.page.waitForTimeout(opening);
    await picture("list");
    await workbench.page.keyboard.press("Escape");
  });
});

async function prepare(scratch: Scratch): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(scratch.workspace, name)), { recursive: true });
    await writeFile(join(scratch.workspace, name), text);
  }
  for (const number of [1, 2, 3]) makeTranscript(scratch, number).turn(40_000);
  // Measuring needs an agent; nothing is run here.
  const claude = join(scratch.home, "claude");
  await writeFile(claude, "#!/bin/sh\necho '2.1.332 (Claude Code)'\n", { mode: 0o755 });
  scratch.env["PURSER_CLAUDE"] = claude;
}
