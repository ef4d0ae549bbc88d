import assert from "node:assert/strict";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { statusJson } from "../../../src/engine/cli/sessions/sessions-outcome.ts";
import { childEnvironment } from "../child-environment.ts";
import { installedPurser, openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { stopService } from "../stop-service.ts";
import { makeTranscript } from "../transcript.ts";
import type { Transcript } from "../transcript.ts";

const cli = fileURLToPath(new URL("../../../dist/cli.cjs", import.meta.url));
const limit = 300_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const late = 1_500; // ms in which an unwanted notification would come

const answer = {
  is_error: false,
  result: "The berths are counted, `ghost.ts` is not.",
  usage: { input_tokens: 10, output_tokens: 90, cache_creation_input_tokens: 1000 },
};

/** Installs a Claude Code that has one answer. */
async function installClaude({ home, env }: Scratch): Promise<void> {
  const file = join(home, "claude");
  await writeFile(file, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
  env["PURSER_CLAUDE"] = file;
}

/** The choices a person has about what purser shows, and that they persist. */
describe("what a person chooses", { timeout: limit }, () => {
  let editor: EditorWindow;
  let first: Transcript;
  let second: Transcript;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      prepare: installClaude,
      settings: { "purser.advice.wrapUpAt": 50, "purser.advice.endTurnAt": 40 },
    });
    first = makeTranscript(editor.scratch, 1);
    second = makeTranscript(editor.scratch, 2);
  });
  after(async () => {
    await editor.workbench.screenshot(join(outFolder, "eyes", "choices.png"));
    await editor.close();
  });
  const status = (pattern: RegExp) =>
    editor.workbench.waitForStatus(statusId, ({ text }) => pattern.test(text), patience);
  const follow = (label: string) => editor.workbench.followStatusLink(statusId, label);
  /**
   * Makes a choice and waits until the tooltip shows it. A click is lost when the tooltip is redrawn between
   * press and release, so it is repeated after a while.
   */
  const choose = async (label: string, isMade: (tooltip: string) => boolean) => {
    const end = Date.now() + patience;
    const seen = async () => isMade(await editor.workbench.hoverStatus(statusId));
    for (let made = false; !made;) {
      assert.ok(Date.now() < end, `the tooltip never showed the choice "${label}"`);
      await follow(label);
      const next = Date.now() + patience / 4;
      made = await seen();
      while (!made && Date.now() < next) made = await seen();
    }
    await editor.workbench.page.mouse.move(400, 300);
  };
  /** Waits until a setting is in the user's file and the window has read it. */
  const isSet = async (setting: string) => {
    const end = Date.now() + patience;
    while (!(await readFile(editor.server.userSettings, "utf8")).includes(setting)) {
      assert.ok(Date.now() < end, `the user's settings never had ${setting}`);
      await editor.workbench.page.waitForTimeout(100);
    }
    await editor.workbench.page.waitForTimeout(late);
  };
  /** The session with the latest answer as shown in a terminal. */
  const inTerminal = async () => {
    const { stdout } = await execa(process.execPath, [cli, "status", "--json", "--all"], {
      env: childEnvironment(editor.scratch.env),
      extendEnv: false,
    });
    const [latest] = statusJson.parse(JSON.parse(stdout)).sessions;
    return { advice: latest?.advice, percent: latest?.context.percent };
  };
  const quietFor = async (ms: number) => {
    await editor.workbench.page.waitForTimeout(ms);
    return editor.workbench.notifications();
  };

  test("the session of the last answer is on the bar, until another is pinned in the tooltip", async () => {
    first.turn(40_000);
    await status(/20%/u);
    await choose("Pin", (tooltip) => tooltip.includes("Unpin"));
    second.turn(60_000);
    await editor.workbench.page.waitForTimeout(late);
    await status(/20%/u);
    await choose("Unpin", (tooltip) => /\bPin\b/u.test(tooltip) && !tooltip.includes("Unpin"));
    await status(/30%/u);
  });

  test("a session muted in the tooltip is still shown, but causes no warning until it is unmuted", async () => {
    await choose("Mute", (tooltip) => tooltip.includes("Unmute"));
    second.turn(124_000);
    assert.equal((await status(/62%/u)).kind, "error");
    assert.deepEqual(await quietFor(late), []);
    await choose("Unmute", (tooltip) => /\bMute\b/u.test(tooltip) && !tooltip.includes("Unmute"));
    const { actions } = await editor.workbench.waitForNotification(/compacts in ~43k tokens/u, patience);
    assert.deepEqual(actions, ["Hand Over…", "Mute This Session", "Stop These Warnings"]);
    second.turn(126_000);
  });

  test("repeats no warning after a reload of the window", async () => {
    await editor.workbench.reload();
    await status(/63%/u);
    second.turn(127_000);
    await status(/64%/u);
    assert.deepEqual(await quietFor(late), []);
  });

  test("thresholds hold as soon as they are set", async () => {
    assert.equal((await status(/64%/u)).kind, "error");
    await mkdir(join(editor.scratch.workspace, ".vscode"));
    const settings = join(editor.scratch.workspace, ".vscode", "settings.json");
    await writeFile(
      settings,
      JSON.stringify({ "purser.advice.wrapUpAt": 30, "purser.advice.endTurnAt": 20 }),
    );
    await editor.workbench.waitForStatus(statusId, ({ kind }) => kind === "default", patience);
    assert.equal((await inTerminal()).advice, "CONTINUE", "the terminal shows the same");
    await writeFile(settings, "{}");
    await editor.workbench.waitForStatus(statusId, ({ kind }) => kind === "error", patience);
    assert.equal((await inTerminal()).advice, "END_TURN");
  });

  test("shows no more warnings of any session after the user turned them off", async () => {
    first.turn(122_000);
    await editor.workbench.waitForNotification(/compacts in ~45k tokens/u, patience);
    await editor.workbench.answerNotification(/compacts in ~45k tokens/u, "Stop These Warnings");
    await isSet('"purser.warnings.enabled": false');
    first.turn(130_000);
    assert.equal((await status(/65%/u)).kind, "error");
    assert.deepEqual(await quietFor(late), []);
  });

  test("the tooltip sets an unknown model's context window", async () => {
    // Room again in the others: nothing is more urgent than the session that went on last.
    first.turn(40_000);
    second.turn(40_000);
    await status(/20%/u);
    const unknown = makeTranscript(editor.scratch, 3, { model: "mystery-9" });
    unknown.turn(83_000);
    await status(/^\$\(dashboard\) 8%$/u);
    await follow("Set Context Window");
    await editor.workbench.page.locator(".quick-input-widget input").fill("100k");
    await editor.workbench.page.keyboard.press("Enter");
    await status(/83%/u);
    assert.equal((await inTerminal()).percent, 83);
  });

  test("summarizes a handover after agreement to its price, undoes it, and asks for a model first", async () => {
    const { workbench, scratch } = editor;
    const { page } = workbench;
    await follow("Hand Over…");
    const card = page.frameLocator("iframe.webview").frameLocator("iframe").locator(".relay");
    await card.getByRole("button", { name: "Start Claude Code" }).waitFor({ timeout: patience });
    await workbench.screenshot(join(outFolder, "eyes", "choices-card.png"));
    await card.getByRole("button", { name: "Edit as File" }).click();
    await page
      .locator(".tab")
      .getByText(/\d{4}-\d\d-\d\d .*\.md/u)
      .waitFor({ timeout: patience });
    await workbench.runCommand("Purser: Summarize Handover with Claude Code…");
    await page.locator(".quick-input-widget").getByText("With which model").waitFor({ timeout: patience });
    await workbench.screenshot(join(outFolder, "eyes", "choices-improve-model.png"));
    await page.keyboard.press("Enter");
    const kept = join(scratch.home, ".purser", "settings.json");
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    assert.match(await readFile(kept, "utf8"), /"continuityImproveWith": "claude-haiku-4-5"/u);
    await workbench.screenshot(join(outFolder, "eyes", "choices-improve-price.png"));
    assert.match(
      await dialog.innerText(),
      /Summarize this handover with claude-haiku-4-5\?[^]*at most 1,500 out[^]*At most ~\$0\.0/u,
    );
    await dialog.getByRole("button", { name: "Ask Once" }).click();
    const { message } = await workbench.waitForNotification(/summarized the handover/u, patience);
    assert.match(message, /for 1,100 tokens.*Its summary names what the record does not: ghost\.ts\./u);
    const lines = page.locator(".monaco-editor .view-lines");
    await lines.getByText("The berths are counted").first().waitFor();
    await workbench.screenshot(join(outFolder, "eyes", "choices-improved.png"));
    await page.locator(".monaco-editor").first().click();
    await page.keyboard.press("Control+z");
    await lines.getByText("The berths are counted").first().waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+z");
    await lines.getByText("The berths are counted").first().waitFor();
    await workbench.answerNotification(/summarized the handover/u, "Remove Summary");
    await lines.getByText("The berths are counted").first().waitFor({ state: "detached" });
  });

  test("the service's port is not among those that the window forwards", async () => {
    const { page } = editor.workbench;
    const ports = page.locator(".statusbar-item").filter({ has: page.locator(".codicon-radio-tower") });
    await ports.first().click();
    const panel = page.locator(String.raw`#workbench\.parts\.panel`);
    await panel.getByText("Forward", { exact: false }).first().waitFor();
    assert.doesNotMatch(await panel.innerText(), /context-purser\S*service\.cjs/u);
    await ports.first().click();
  });

  test("the item gives the reason if no service can run, and its remedy works", async () => {
    const { workbench, server, scratch } = editor;
    const program = join(await installedPurser(server), "dist", "service.cjs");
    await rename(program, `${program}.away`);
    await stopService(join(scratch.home, ".purser"));
    await status(/^\$\(warning\) Purser$/u);
    assert.equal((await inTerminal()).percent, 83, "what was set here holds where no service runs");
    await rename(`${program}.away`, program);
    await workbench.clickStatus(statusId);
    const { message, actions } = await workbench.waitForNotification(
      /Reading transcripts stopped/u,
      patience,
    );
    assert.match(message, /Cannot find module/u);
    assert.deepEqual(actions, ["Try Again", "Show Log"]);
    await workbench.page.mouse.move(400, 300);
    await workbench.answerNotification(/Reading transcripts stopped/u, "Try Again");
    await status(/83%/u);
  });
});
