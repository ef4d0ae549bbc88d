import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { saving as sentence } from "../../engine/cli/rules/select-suite.ts";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { writePassedRule } from "./passed-rule.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { useSmallSuite } from "./small-suite.ts";

const limit = 360_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const measuring = 60_000; // ms for some dozens of replayed runs, each with its check

/**
 * A rule's lifecycle as a person sees it: recordings of small tasks stand in for purser's own, which demonstrate it and decide nothing.
 */
describe("rules, as a person sees them", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest", prepare, change: useSmallSuite });
    await editor.workbench.waitForStatus(statusId, ({ text }) => text === "$(dashboard)");
  });
  after(() => editor.close());
  const picture = (name: string) => editor.workbench.screenshot(join(outFolder, "eyes", `rules-${name}.png`));
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const group = (name: string) => panel().getByRole("heading", { name });
  const memory = (agent: string) => join(editor.scratch.claude, "agent-memory", agent, "MEMORY.md");

  test("an unknown agent's name is typed, and a text that is not a sentence is reported during typing", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Review Rules");
    await panel().getByRole("button", { name: "Add Rule…" }).first().click({ timeout: patience });
    await workbench.quickPickRows().filter({ hasText: "backend" }).first().waitFor({ timeout: patience });
    const input = workbench.page.locator(".quick-input-widget input");
    await input.fill("planner");
    await workbench.quickPickRows().filter({ hasText: "planner" }).first().waitFor({ timeout: patience });
    await workbench.page.keyboard.press("Enter");
    await workbench.page.getByText("One sentence of 10 to 200 characters").waitFor({ timeout: patience });
    await input.fill("short");
    await workbench.page.getByText("A rule has 10 to 200 characters, not 5.").waitFor({ timeout: patience });
    await picture("typing");
    await workbench.page.keyboard.press("Escape");
  });

  test("a rule is written in the panel, and waits for its user", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Review Rules");
    await panel().getByRole("button", { name: "Add Rule…" }).first().click({ timeout: patience });
    const row = workbench.quickPickRows().filter({ hasText: "backend" }).first();
    await row.waitFor({ timeout: patience });
    await row.click();
    await workbench.answerInputBox("One sentence of 10 to 200 characters", sentence, patience);
    await group("Proposed 1").waitFor({ timeout: patience });
    await panel()
      .getByText(/~\d+ tokens/u)
      .first()
      .waitFor();
    await picture("candidate");
  });

  test("one key approves it, another undoes that", async () => {
    const { workbench } = editor;
    await panel().locator(".detail").getByRole("heading", { level: 1 }).click();
    await workbench.page.keyboard.press("a");
    await group("To Be Measured 1").waitFor({ timeout: patience });
    await workbench.page.keyboard.press("u");
    await group("Proposed 1").waitFor({ timeout: patience });
    await workbench.page.keyboard.press("a");
    await group("To Be Measured 1").waitFor({ timeout: patience });
    // The next waiting rule is shown then.
    await panel()
      .locator(".detail")
      .getByRole("heading", { level: 1, name: /^Search once/u })
      .waitFor({ timeout: patience });
  });

  test("names what is missing without an agent; the demo shows its price first, then each round", async () => {
    await panel()
      .getByRole("navigation")
      .getByRole("option", { name: /^Open only the files/u })
      .click();
    await panel().getByRole("button", { name: "Measure It…" }).click();
    await panel().getByText("No agent is ready.").waitFor({ timeout: measuring });
    await picture("no-agent");
    await panel().getByRole("button", { name: "Try with Recordings (Demo)" }).click();
    const start = panel().getByRole("button", { name: /^Measure 1 Rule · at most \d+ runs · free$/u });
    await start.waitFor({ timeout: measuring });
    await picture("plan");
    await start.click();
    await panel().getByRole("heading", { name: "Measuring", exact: true }).waitFor({ timeout: measuring });
    await panel()
      .getByText(/Round \d+: .*tokens a run/u)
      .waitFor({ timeout: measuring });
    await picture("measuring");
    await panel().getByRole("heading", { name: "What Was Measured Last" }).waitFor({ timeout: measuring });
    await panel()
      .locator("ol.measured")
      .getByText(/^\s*Demo\. /u)
      .waitFor();
    await panel().getByRole("button", { name: "Receipt" }).waitFor();
    await picture("measured");
  });

  test("what was replayed is a demo: the rule waits to be measured as before, and no key lets it in", async () => {
    const { workbench } = editor;
    await group("To Be Measured 1").waitFor();
    await panel()
      .getByRole("navigation")
      .getByRole("option", { name: /^Open only the files/u })
      .click();
    await panel().getByText("It decides nothing about this rule.").waitFor({ timeout: patience });
    await panel()
      .getByRole("img", { name: /^Tokens saved in \d+ pairs of runs\. It saves/u })
      .waitFor();
    await panel().locator(".detail").getByRole("heading", { level: 1 }).click();
    await workbench.page.keyboard.press("a");
    await picture("demo");
    await group("To Be Measured 1").waitFor();
    assert.equal(existsSync(memory("backend")), false);
  });

  test("what an agent's own runs showed is let in by one key, and is in the agent's memory, which the panel shows", async () => {
    const { workbench } = editor;
    await panel()
      .getByRole("navigation")
      .getByRole("option", { name: /^Search once/u })
      .click();
    await panel().locator(".detail").getByRole("heading", { level: 1 }).click();
    await picture("passed");
    await workbench.page.keyboard.press("a");
    await panel().getByRole("tab", { name: "In Memory 1" }).click({ timeout: patience });
    await panel().getByRole("button", { name: "Memory of backend" }).click();
    await panel().getByText("The file is as the active rules are.").waitFor({ timeout: patience });
    assert.match(await readFile(memory("backend"), "utf8"), /^<!-- purser v1 .*\n- Search once/u);
    await picture("active");
  });

  test("the first approval of a rule of the main conversation asks which file of the project gets it", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Review Rules");
    await panel().getByRole("button", { name: "Add Rule…" }).first().click({ timeout: patience });
    await workbench.quickPickRows().first().waitFor({ timeout: patience });
    await workbench.page.locator(".quick-input-widget input").fill("main");
    await workbench.quickPickRows().filter({ hasText: "main" }).first().click({ timeout: patience });
    await workbench.answerInputBox(
      "One sentence of 10 to 200 characters",
      "Read the change log before you plan a release.",
      patience,
    );
    await panel().getByText("go into a file of this project that you choose").waitFor({ timeout: patience });
    await picture("main");
    await panel()
      .getByRole("button", { name: /^Approve for Measuring/u })
      .click();
    const row = workbench.quickPickRows().filter({ hasText: "CLAUDE.local.md" });
    await row.waitFor({ timeout: patience });
    await picture("main-file");
    await row.click();
    await group("To Be Measured 2").waitFor({ timeout: patience });
    const chosen = await readFile(join(editor.scratch.home, ".purser", "main-files.json"), "utf8");
    assert.match(chosen, /"name": "CLAUDE\.local\.md"/u);
    await picture("main-approved");
  });

  test("in a narrow window there is the list, and the rule in its place with a way back", async () => {
    const { page } = editor.workbench;
    await page.setViewportSize({ width: 640, height: 480 });
    const back = panel().locator("button.back");
    // What was viewed last is still shown, if it was opened.
    if ((await back.count()) > 0) await back.click({ timeout: patience });
    await panel()
      .getByRole("tab", { name: /^Waiting for You/u })
      .click();
    await panel()
      .getByRole("option", { name: /^Open only the files/u })
      .click();
    await panel().locator(".detail").getByRole("heading", { level: 1, name: sentence }).waitFor();
    await picture("narrow");
    await page.keyboard.press("Escape");
    await group("To Be Measured 2").waitFor();
    assert.equal(await back.count(), 0);
    await picture("narrow-list");
  });
});

/** Stores a passed rule that waits for its user, and slows replaying down enough to be watched. */
async function prepare(scratch: Scratch): Promise<void> {
  scratch.env["PURSER_REPLAY_PACE"] = "4";
  const passed = "Search once with one pattern for all names you need.";
  await writePassedRule(scratch, { id: "r00000000aa", agent: "backend", sentence: passed });
}
