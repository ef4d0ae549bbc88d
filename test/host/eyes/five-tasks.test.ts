import assert from "node:assert/strict";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder, repository } from "../repository.ts";
import { makeTranscript } from "../transcript.ts";

const limit = 240_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
/** From the status bar or the palette to what the person came for. */
const maxSteps = 3;
const sentence = "Open only the files a task names and those they import.";

/** The five tasks of first-minute.md, each step as it is written there. */
describe("five everyday tasks take at most three steps", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      prepare: async ({ workspace }) => {
        const agents = join(workspace, ".claude", "agents");
        await mkdir(agents, { recursive: true });
        await copyFile(join(repository, "golden", "agents", "sql.md"), join(agents, "sql.md"));
      },
    });
    const session = makeTranscript(editor.scratch);
    for (let tokens = 20_000; tokens <= 164_000; tokens += 8000) session.turn(tokens);
    await editor.workbench.waitForStatus(statusId, ({ kind }) => kind === "error", patience);
  });
  after(() => editor.close());
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const choose = async (label: string | RegExp) => {
    const row = editor.workbench.quickPickRows().filter({ hasText: label }).first();
    await row.waitFor({ timeout: patience });
    await row.click();
  };
  /** Takes each step in turn, keeps a picture of the end, and closes what was opened. */
  const take = async (name: string, steps: readonly (() => Promise<void>)[]) => {
    assert.ok(steps.length <= maxSteps, `${name} takes ${steps.length} steps`);
    for (const step of steps) await step();
    await editor.workbench.screenshot(join(outFolder, "eyes", `five-${name}.png`));
    await editor.workbench.runCommand("View: Close All Editors");
  };

  test("see why it is red", () =>
    take("red", [
      () => editor.workbench.clickStatus(statusId),
      () => editor.workbench.tree("Sessions").locator(".monaco-list-row").filter({ hasText: "turn" }).click(),
      () => panel().getByRole("heading", { name: "Context over turns" }).waitFor({ timeout: patience }),
    ]));

  test("find yesterday's cost by project", () =>
    take("cost", [
      () => editor.workbench.runCommand("Purser: Open Usage"),
      () => panel().getByRole("button", { name: "Yesterday" }).click({ timeout: patience }),
    ]));

  test("approve a rule", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Review Rules");
    await panel().getByRole("button", { name: "Add Rule…" }).first().click({ timeout: patience });
    await choose("sql");
    await workbench.answerInputBox("One sentence of 10 to 200 characters", sentence, patience);
    await panel().getByText(sentence).first().waitFor({ timeout: patience });
    await workbench.runCommand("View: Close All Editors");
    await take("rule", [
      () => workbench.runCommand("Purser: Review Rules"),
      () => panel().getByText(sentence).first().click({ timeout: patience }),
      () =>
        panel()
          .getByRole("button", { name: /^Approve/u })
          .first()
          .click(),
    ]);
  });

  test("run a benchmark", () =>
    take("benchmark", [
      () => editor.workbench.newExperiment("Benchmark"),
      () => panel().getByRole("button", { name: "Try with Recordings" }).click({ timeout: patience }),
      () =>
        panel()
          .getByRole("button", { name: /^(?:Replay|Run) \d+ runs?/u })
          .waitFor({ timeout: patience }),
    ]));

  test("compare two prompts", () =>
    take("prompts", [
      () => editor.workbench.newExperiment("Comparison"),
      async () => {
        await panel().getByLabel("What changes").selectOption("Another prompt", { timeout: patience });
      },
      () =>
        panel()
          .getByRole("button", { name: /^(?:Replay|Run) \d+ runs?/u })
          .waitFor({ timeout: patience }),
    ]));
});
