import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { execa } from "execa";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { makeTranscript } from "../transcript.ts";
import type { Workbench } from "../editor/workbench.ts";

const limit = 180_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const model = "mystery-9";

/** Which sessions belong to a window, and what an untrusted folder may set. */
describe("windows of every kind", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      workspaceTrust: true,
      settings: { "security.workspace.trust.startupPrompt": "never" },
      async prepare({ workspace }) {
        const settings = {
          "purser.models": { [model]: { window: 100_000 } },
          "purser.claude.configDir": "/none",
        };
        await mkdir(join(workspace, ".vscode"));
        await writeFile(join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
        await writeFile(join(workspace, "CLAUDE.md"), "# Harbor\n\n## Style\n\nShort.\n");
      },
    });
  });
  after(() => editor.close());
  const status = (workbench: Workbench, pattern: RegExp) =>
    workbench.waitForStatus(statusId, ({ text }) => pattern.test(text), patience);

  test("Restricted Mode shows sessions, and ignores the folder's settings", async () => {
    makeTranscript(editor.scratch, 1, { model }).turn(30_000);
    // Only the agent's assumption of 1M for a model that it does not know.
    await status(editor.workbench, /^\$\(dashboard\) 3%$/u);
  });

  test("Restricted Mode shows the rent of instructions, and offers no measurement", async () => {
    const { workbench } = editor;
    await workbench.openFile("CLAUDE.md");
    const lenses = workbench.page.locator(".codelens-decoration");
    await lenses
      .filter({ hasText: /~\d+ tokens · ~\d+ a week$/u })
      .nth(1)
      .waitFor();
    assert.equal(await lenses.filter({ hasText: "Measure" }).count(), 0);
    assert.ok(!(await workbench.findCommands("Measure This")).some((title) => title.startsWith("Purser:")));
    await workbench.runCommand("View: Close All Editors");
  });

  test("Restricted Mode does not offer the folder's hooks", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Set Up Hooks…");
    await workbench.quickPickRows().filter({ hasText: "Claude Code · Everywhere" }).first().waitFor();
    assert.equal(await workbench.quickPickRows().filter({ hasText: "This project" }).count(), 0);
    await workbench.page.keyboard.press("Escape");
  });

  test("once the folder is trusted, its settings hold", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Workspaces: Manage Workspace Trust");
    await workbench.page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await status(workbench, /30%/u);
  });

  test("a window with several folders has the sessions of each, and those in their worktrees", async () => {
    const { scratch } = editor;
    const [repository, worktree] = [join(scratch.root, "boats"), join(scratch.root, "boats-fix")];
    await makeRepository(repository, worktree);
    await mkdir(join(scratch.root, "docs"));
    const file = join(scratch.root, "both.code-workspace");
    await writeFile(file, JSON.stringify({ folders: [{ path: "boats" }, { path: "docs" }] }));
    makeTranscript(scratch, 2, { cwd: join(scratch.root, "docs") }).turn(40_000);
    const window = await openFolders(editor, file);
    await status(window, /20%/u);
    makeTranscript(scratch, 3, { cwd: worktree }).turn(80_000);
    await status(window, /40%/u);
    const tooltip = await window.hoverStatus(statusId);
    assert.match(tooltip, /boats-fix/u);
    assert.match(tooltip, /docs/u);
    assert.doesNotMatch(tooltip, new RegExp(model, "u"), "another folder's session");
    await window.close();
  });

  test("a window without a folder explains where to look", async () => {
    const window = await editor.reopen("");
    const { ariaLabel } = await window.waitForStatus(
      statusId,
      (item) => item.ariaLabel.includes("no folder"),
      patience,
    );
    assert.match(ariaLabel, /Live elsewhere: 3/u);
    await window.close();
  });
});

const foldersShown = 5_000; // ms for the Explorer to show the folders of a workspace file
const tries = 3;

/**
 * Opens a workspace file with retries: on a busy machine VS Code sometimes reads it before it is connected, and finds
 * no folders in it.
 */
async function openFolders(editor: EditorWindow, file: string): Promise<Workbench> {
  const window = await editor.reopen(file);
  const folder = window.page.locator(".explorer-folders-view .monaco-list-row").first();
  for (let turn = 1; ; turn += 1) {
    const seen = await folder.waitFor({ timeout: foldersShown }).then(
      () => true,
      () => false,
    );
    if (seen) return window;
    if (turn === tries) throw new Error(`VS Code shows no folder of ${file}.`);
    await window.page.reload();
  }
}

async function makeRepository(folder: string, worktree: string): Promise<void> {
  await mkdir(folder);
  const git = (...words: readonly string[]) =>
    execa("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...words], { cwd: folder });
  await git("init", "--quiet");
  await git("commit", "--quiet", "--allow-empty", "--message", "Begin");
  await git("worktree", "add", "--quiet", "-b", "fix", worktree);
}
