import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { useSmallSuite } from "./small-suite.ts";

const limit = 300_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const measuring = 150_000; // ms for two rounds of replayed runs, each with its check

/** A comparison as a person makes one, from recordings of small tasks instead of purser's own. */
describe("comparisons, as a person sees them", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest", prepare, change: useSmallSuite });
    await editor.workbench.waitForStatus(statusId, ({ text }) => text === "$(dashboard)");
  });
  after(() => editor.close());
  const picture = (name: string) =>
    editor.workbench.screenshot(join(outFolder, "eyes", `compare-${name}.png`));
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");

  test("the difference is chosen in the form, with the price on its button, and nothing has started", async () => {
    await editor.workbench.newExperiment("Comparison");
    await panel().getByLabel("What changes").selectOption("Without the CLAUDE.md");
    await panel().getByRole("combobox", { name: "Agent" }).selectOption("backend");
    await panel().getByLabel("Run with").selectOption({ label: "Replay of recordings (free demo)" });
    await panel().getByRole("button", { name: "Replay 72 runs · free" }).waitFor({ timeout: patience });
    await picture("plan");
  });

  test("fewer rounds give another plan, and the comparison continues in the panel after a reload of the window", async () => {
    const { workbench } = editor;
    const rounds = panel().getByLabel("Rounds at most");
    // Enough that some are under way when a busy machine looks at last.
    await rounds.fill("5");
    await rounds.press("Tab");
    await panel().getByRole("button", { name: "Replay 30 runs · free" }).click({ timeout: patience });
    await panel()
      .getByText(/^\d+ of at most 30 runs$/u)
      .waitFor({ timeout: patience });
    await panel().locator(".cell.live").first().waitFor({ timeout: measuring });
    await picture("running");
    // A browser window saves its open editors every few seconds.
    await panel()
      .getByText(/^(?:[4-9]|1\d) of at most 30 runs$/u)
      .waitFor({ timeout: measuring });
    await workbench.reload();
    await panel().getByRole("heading", { name: "Runs" }).waitFor({ timeout: patience });
    await picture("reloaded");
  });

  test("it ends with a verdict in one sentence, differences by task, and both sides", async () => {
    await panel().locator(".verdict .sentence").waitFor({ timeout: measuring });
    await panel().getByText("Done", { exact: true }).waitFor({ timeout: measuring });
    await panel().getByText("Undecided", { exact: true }).waitFor({ timeout: patience });
    await panel().getByRole("heading", { name: "Differences by task" }).waitFor();
    await panel().getByRole("table", { name: "Both sides" }).waitFor();
    assert.match(
      await panel().locator(".sentence").innerText(),
      /^(?:No difference found|Difference not decided yet)/u,
    );
    await picture("done");
  });

  test("a run opens turn by turn with its pair beside it, and the comparison is in the list", async () => {
    const { workbench } = editor;
    await panel()
      .getByRole("button", { name: /^Run 1 of / })
      .first()
      .click();
    await panel().getByRole("article").nth(1).waitFor({ timeout: patience });
    await picture("pair");
    // The two sides' changes to the project, in the editor's diff view.
    await panel()
      .getByRole("button", { name: /^Compare .* with run 1/u })
      .first()
      .click();
    await workbench.page.locator(".tab.active").filter({ hasText: "Run 1" }).waitFor({ timeout: patience });
    for (const side of ["original", "modified"])
      await workbench.page
        .locator(`.monaco-diff-editor .${side} .view-line`)
        .filter({ hasText: /\w/u })
        .first()
        .waitFor();
    await picture("diff");
    await workbench.newExperiment("Comparison");
    await panel().locator("button.back").click({ timeout: patience });
    await panel().getByRole("table", { name: "Experiments" }).waitFor({ timeout: patience });
    await picture("list");
  });

  test("does not ask for a prompt while Claude Code is not ready, but names what is missing", async () => {
    const { workbench } = editor;
    await workbench.newExperiment("Shorter prompt");
    const missing = panel().getByText(/A shorter prompt needs Claude Code, which is not ready/u);
    await missing.first().waitFor({ timeout: patience });
    await picture("evolve");
  });
});

/** Slows replaying down enough to be watched. */
function prepare({ env }: Scratch): Promise<void> {
  env["PURSER_REPLAY_PACE"] = "1.5";
  return Promise.resolve();
}
