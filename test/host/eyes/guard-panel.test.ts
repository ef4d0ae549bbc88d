import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { z } from "zod";
import { entryHeader } from "../../../src/engine/hooks/program.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { makeTranscript } from "../transcript.ts";
import type { Transcript } from "../transcript.ts";

const limit = 240_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const themes = ["Dark Modern", "Light Modern", "Dark High Contrast"];

/** The actions of guard rules, from an agent's hook to an exception in the user's file. */
describe("the Guard panel, as a person sees it", { timeout: limit }, () => {
  let editor: EditorWindow;
  let transcript: Transcript;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest", prepare });
    transcript = makeTranscript(editor.scratch);
    transcript.turn(40_000);
    await editor.workbench.waitForStatus(statusId, ({ text }) => text.includes("20%"), patience);
  });
  after(() => editor.close());
  const picture = (name: string) =>
    editor.workbench.screenshot(join(outFolder, "eyes", `guard-panel-${name}.png`));
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const rulesFile = () => join(editor.scratch.home, ".purser", "guard.yaml");
  const entry = (text: string) => panel().locator(".fired > li", { hasText: text });
  const run = (id: string, command: string) =>
    post(editor.scratch, {
      session_id: transcript.id,
      cwd: editor.scratch.workspace,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: id,
    });

  test("a call on which a rule fires is there by itself, with what would have been done, and changes nothing", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Open Guard");
    await panel().getByText("No rule fired in this time.").waitFor({ timeout: patience });
    await picture("empty");
    assert.doesNotMatch(await run("toolu_1", "git push --force origin main"), /permissionDecision/u);
    await run("toolu_2", "rm -rf ~");
    await entry("git push --force").getByText("would have asked").waitFor({ timeout: patience });
    await panel()
      .getByText(/Watching only\. Nothing is blocked\.|Guard sees nothing now/u)
      .waitFor();
  });

  test("it is readable in three themes, wide and narrow", async () => {
    const { workbench } = editor;
    const { page } = workbench;
    for (const theme of themes) {
      await workbench.setColorTheme(theme);
      for (const width of [1280, 640]) {
        await page.setViewportSize({ width, height: 900 });
        await panel().getByRole("heading", { name: "Guard", level: 1 }).waitFor();
        await picture(`${theme.toLowerCase().replaceAll(" ", "-")}-${width}`);
      }
    }
    await workbench.setColorTheme("Dark Modern");
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("Allow… writes an exception, which is undone to the byte; then the rule fires no more", async () => {
    const force = entry("git push --force");
    await force.getByRole("button", { name: "Allow…", exact: true }).click();
    await force.getByRole("button", { name: "Allow", exact: true }).click();
    await force.getByRole("button", { name: "Undo" }).waitFor({ timeout: patience });
    const written = readFileSync(rulesFile(), "utf8");
    assert.match(written, /^# My rules\.\nexceptions:\n {2}- rule: \S+\n {4}like: /u);
    await picture("exception");
    await force.getByRole("button", { name: "Undo" }).click();
    await waitUntil(() => readFileSync(rulesFile(), "utf8") === "# My rules.\n");
    await force.getByRole("button", { name: "Allow…", exact: true }).click();
    await force.getByRole("button", { name: "Allow", exact: true }).click();
    await force.getByRole("button", { name: "Undo" }).waitFor({ timeout: patience });
    await force.getByRole("button", { name: "Open Rules File" }).click();
    await editor.workbench.page.getByText("Ln 3, Col 1").waitFor({ timeout: patience });
  });

  test("above a rule of the file, calls of agents are tried on it", async () => {
    const { page } = editor.workbench;
    await page.locator(".codelens-decoration a", { hasText: "Test…" }).first().click({ timeout: patience });
    const pick = page.locator(".quick-input-widget");
    const lately = pick.locator(".monaco-list-row", { hasText: "Fires: delete-home" });
    await lately.first().waitFor({ timeout: patience });
    await picture("test-recent");
    await lately.first().click();
    const typed = pick.locator(".quick-input-box input");
    await waitUntil(async () => /^rm -rf \S+$/u.test(await typed.inputValue()));
    await pick.locator(".monaco-list-row.focused", { hasText: "Fires: delete-home" }).waitFor();
    await picture("test-chosen");
    await page.keyboard.press("Escape");
    await pick.waitFor({ state: "hidden" });
    await editor.workbench.runCommand("Purser: Open Guard");
  });

  test("a mode that is chosen is the editor's setting, and counts at once", async () => {
    const safety = panel().getByRole("combobox", { name: "Mode of Safety" });
    await safety.selectOption("On");
    await panel()
      .getByRole("combobox", { name: "Mode of Safety" })
      .locator("option:checked", { hasText: /^\s*On\s*$/u })
      .waitFor({ state: "attached", timeout: patience });
    const file = join(editor.scratch.home, ".purser", "window-settings.json");
    await waitUntil(() => existsSync(file) && /"safety":\s*"on"/u.test(readFileSync(file, "utf8")));
    assert.match(await run("toolu_3", "rm -rf ~"), /permissionDecision/u);
    // The exception holds.
    assert.doesNotMatch(await run("toolu_4", "git push --force origin main"), /permissionDecision/u);
  });

  test("the tooltip of the status bar has a row of it, which leads to the panel", async () => {
    const { workbench } = editor;
    const tooltip = async () => await workbench.hoverStatus(statusId);
    assert.match(await tooltip(), /Guard[\s\S]*calls\sin\s7\sdays[\s\S]*Show Guard/u);
    await picture("tooltip");
  });
});

async function prepare({ home }: Scratch): Promise<void> {
  await mkdir(join(home, ".purser"), { recursive: true, mode: 0o700 });
  await writeFile(join(home, ".purser", "settings.json"), JSON.stringify({ hookPosting: "always" }), {
    mode: 0o600,
  });
  await writeFile(join(home, ".purser", "guard.yaml"), "# My rules.\n", { mode: 0o600 });
}

const placeSchema = z.object({ port: z.int(), token: z.string() });

/** Posts a hook as an attended session does; returns the response body. */
async function post(scratch: Scratch, hook: Readonly<Record<string, unknown>>): Promise<string> {
  const text = await readFile(join(scratch.home, ".purser", "hooks.json"), "utf8");
  const { port, token } = placeSchema.parse(JSON.parse(text));
  const answer = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, [entryHeader]: "cli", "content-type": "application/json" },
    body: JSON.stringify(hook),
  });
  return await answer.text();
}
