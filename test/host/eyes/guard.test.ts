import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { entryHeader, teamsHeader } from "../../../src/engine/hooks/program.ts";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { makeTranscript } from "../transcript.ts";
import type { Transcript } from "../transcript.ts";

const limit = 240_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine

const settings = `${JSON.stringify({ model: "opus", hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] } })}\n`;

/** Sets purser's setting for posted hooks, independently of the machine's other accounts. */
async function setPosting(home: string, hookPosting: string): Promise<void> {
  await mkdir(join(home, ".purser"), { recursive: true, mode: 0o700 });
  await writeFile(join(home, ".purser", "settings.json"), JSON.stringify({ hookPosting }), { mode: 0o600 });
}

/** Hooks and budgets as a person uses and sees them. */
describe("hooks and budgets, as a person sees them", { timeout: limit }, () => {
  let editor: EditorWindow;
  let transcript: Transcript;
  let file: string;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      prepare: async ({ claude, home }) => {
        await writeFile(join(claude, "settings.json"), settings);
        await setPosting(home, "always");
      },
    });
    file = join(editor.scratch.claude, "settings.json");
    transcript = makeTranscript(editor.scratch);
    transcript.turn(40_000);
    await editor.workbench.waitForStatus(statusId, ({ text }) => text.includes("20%"), patience);
  });
  after(async () => {
    await editor.workbench.screenshot(join(outFolder, "eyes", "guard.png"));
    await editor.close();
  });
  const picture = (name: string) => editor.workbench.screenshot(join(outFolder, "eyes", `guard-${name}.png`));
  const choose = async (label: string | RegExp) => {
    const row = editor.workbench.quickPickRows().filter({ hasText: label }).first();
    await row.waitFor();
    await row.click();
  };
  const fileBecomes = async (isRight: (text: string) => boolean, which = file) => {
    const end = Date.now() + patience;
    for (;;) {
      const text = await readFile(which, "utf8");
      if (isRight(text)) return text;
      assert.ok(Date.now() < end, text);
      await editor.workbench.page.waitForTimeout(100);
    }
  };

  test("hooks are installed from the palette: shows the change, asks, makes it, and undoes it", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Set Up Hooks…");
    await choose("Claude Code · Everywhere");
    await workbench.page.getByText("Install purser's hooks for Claude Code?").waitFor({ timeout: patience });
    // The settings and the skill that is installed with the hooks.
    await workbench.page.locator(".monaco-diff-editor").nth(1).waitFor();
    await picture("diff");
    assert.equal(await readFile(file, "utf8"), settings);
    await choose("What Else Happens…");
    await workbench.page.getByText(/permissions are set to owner-only/u).waitFor();
    await workbench.page.locator(".monaco-dialog-box").getByRole("button", { name: "OK" }).click();
    await choose("Warnings and budgets reach the agent");
    const done = await workbench.waitForNotification(/Hooks installed/u, patience);
    assert.deepEqual(done.actions, ["Open File", "Undo"]);
    assert.match(await readFile(file, "utf8"), /X-Purser-Hook/u);
    await workbench.answerNotification(/Hooks installed/u, "Undo");
    await workbench.waitForNotification(/byte for byte/u, patience);
    assert.equal(await readFile(file, "utf8"), settings);
    await workbench.clearNotifications();
  });

  test("leaves a file that does not parse unchanged, and opens it at the fault", async () => {
    const { workbench } = editor;
    await writeFile(file, '{\n  "model": \n}\n');
    await workbench.runCommand("Purser: Set Up Hooks…");
    await choose("Claude Code · Everywhere");
    const refused = await workbench.waitForNotification(/line 3 is not JSON/u, patience);
    assert.deepEqual([refused.severity, refused.actions], ["error", ["Open File", "Try Again"]]);
    await workbench.answerNotification(/is not JSON/u, "Open File");
    await workbench.page.locator(".tab").filter({ hasText: "settings.json" }).first().waitFor();
    await workbench.page.getByText("Ln 3, Col 1").waitFor();
    await writeFile(file, settings);
    await workbench.runCommand("View: Close All Editors");
    await workbench.clearNotifications();
  });

  test("hooks of a removed purser are repaired silently", async () => {
    const { workbench, scratch } = editor;
    await workbench.runCommand("Purser: Set Up Hooks…");
    await choose("Claude Code · Everywhere");
    await choose("Warnings and budgets reach the agent");
    const installed = await fileBecomes((text) => text.includes("X-Purser-Hook"));
    await workbench.clearNotifications();
    const script = join(scratch.home, ".purser", "hook.sh");
    const leading = await fileBecomes((text) => text.includes("hook.cjs"), script);
    await writeFile(script, leading.replace(/'[^']*hook\.cjs'/u, "'/gone/dist/hook.cjs'"));
    assert.ok((await readFile(script, "utf8")).includes("/gone/"));
    await workbench.reload();
    assert.equal(await fileBecomes((text) => !text.includes("/gone/"), script), leading);
    assert.equal(await readFile(file, "utf8"), installed);
    assert.deepEqual(await workbench.notifications(), []);
  });

  test("hooks that may no longer be posted become commands, and the window gives the reason", async () => {
    const { workbench, scratch } = editor;
    await setPosting(scratch.home, "never");
    await workbench.page.reload();
    const now = await fileBecomes((text) => !text.includes("Bearer"));
    assert.match(now, /--purser-hook=claude-code:PreToolUse/u);
    const said = await workbench.waitForNotification(/as commands from now on/u, patience);
    assert.match(said.message, /By your setting no hook is posted/u);
    await picture("commands");
    await workbench.clearNotifications();
    await setPosting(scratch.home, "always");
    await workbench.runCommand("Purser: Set Up Hooks…");
    await choose("Claude Code · Everywhere");
    await choose("Warnings and budgets reach the agent");
    await fileBecomes((text) => text.includes("X-Purser-Hook"));
    await workbench.clearNotifications();
  });

  test("a closed comparison takes its question along, and nothing is changed", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Set Up Hooks…");
    const row = workbench.quickPickRows().filter({ hasText: "Claude Code · Everywhere" }).first();
    await row.hover();
    await row.getByRole("button", { name: "Uninstall…" }).click();
    const question = workbench.page.getByText(/Remove purser.s hooks from/u);
    await question.waitFor({ timeout: patience });
    const before = await readFile(file, "utf8");
    await workbench.runCommand("View: Close All Editors");
    await question.waitFor({ state: "hidden" });
    assert.equal(await readFile(file, "utf8"), before);
  });

  test("a budget is created from its view, and shown there", async () => {
    const { workbench } = editor;
    // The view is collapsed by default.
    await workbench.runCommand("Focus on Budgets View");
    const welcome = workbench.tree("Budgets").locator(".welcome-view");
    await welcome.getByRole("button", { name: "Create Budget" }).click();
    const whole = workbench.quickPickRows().filter({ hasText: "Everything in harbor" }).first();
    await whole.waitFor();
    // The use that a daily limit would already count, and the source of the limit.
    assert.match(
      (await whole.innerText()).replaceAll("\u00A0", " "),
      /500k tokens a day[^]*Used today: 2k · typical for Sonnet$/u,
    );
    await picture("create");
    await choose("More…");
    await choose("Everything in harbor");
    await choose(/^Agent/u);
    await workbench.page.locator(".quick-input-widget").getByText("OK", { exact: true }).click();
    await choose("Day");
    for (const [title, tokens] of [
      [/Project, 1 of 2/u, "20k"],
      [/Agent, 2 of 2/u, "12k"],
    ] as const) {
      const input = workbench.page.locator(".quick-input-widget input");
      await workbench.page.locator(".quick-input-title").getByText(title).waitFor();
      await input.fill(tokens);
      await picture(`limit-${tokens}`);
      await input.press("Enter");
    }
    await workbench.waitForNotification(/Budget “everything” is active: 20k tokens a day/u, patience);
    // Correct from the start: usage before its creation is included.
    await workbench
      .tree("Budgets")
      .getByText(/2k of 20k/u)
      .waitFor();
    transcript.turn(42_000);
    await workbench
      .tree("Budgets")
      .getByText(/4k of 12k/u)
      .waitFor();
    const rows = await workbench.treeRows("Budgets");
    await picture("view");
    assert.match(
      rows.join("\n"),
      /^everything .*\n {2}Project 4k of 20k · 18% · today\n {2}Agent main 4k of 12k · 30% · today · .+$/u,
    );
    await workbench.clearNotifications();
  });

  test("near its limit the bar has a shield, and a notification comes once", async () => {
    const { workbench } = editor;
    for (let turn = 0; turn < 4; turn += 1) transcript.turn(44_000 + turn * 4_000);
    const { kind } = await workbench.waitForStatus(
      statusId,
      ({ text }) => text.startsWith("$(shield)"),
      patience,
    );
    assert.equal(kind, "warning");
    const { actions } = await workbench.waitForNotification(
      /used 11k of 12k tokens today \(91%\)/u,
      patience,
    );
    assert.deepEqual(actions, ["Raise Limit…", "Show Budgets", "Mute This Budget"]);
    assert.match(
      await workbench.hoverStatus(statusId),
      /Budget\s+11k\sof\s12k\s·\s91%\s·\stoday\s+Agent main/u,
    );
    await picture("near");
    await workbench.page.mouse.move(640, 300);
  });

  test("a passed limit is shown, and can be raised there", async () => {
    const { workbench } = editor;
    transcript.turn(62_000);
    // Half an hour lies between two notifications; the bar shows it at once.
    await workbench.waitForStatus(
      statusId,
      ({ kind, text }) => kind === "error" && /^\$\(shield\) 10\d% of the budget/u.test(text),
      patience,
    );
    await workbench.answerNotification(/used 11k of 12k tokens/u, "Raise Limit…");
    const input = workbench.page.locator(".quick-input-widget input");
    await input.waitFor();
    await input.fill("20,000");
    await input.press("Enter");
    await workbench.waitForStatus(statusId, ({ kind }) => kind === "default", patience);
    const stored = await readFile(
      join(editor.scratch.workspace, ".purser", "budgets", "everything.json"),
      "utf8",
    );
    assert.match(stored, /"amount": 20000/u);
    await workbench.clearNotifications();
  });

  test("a budget edited by hand is reported until the user accepts it", async () => {
    const { workbench } = editor;
    const budget = join(editor.scratch.workspace, ".purser", "budgets", "everything.json");
    await writeFile(budget, (await readFile(budget, "utf8")).replace("20000", "90000"));
    const row = workbench.tree("Budgets").locator(".monaco-list-row").filter({ hasText: "cannot be used" });
    await row.waitFor();
    await workbench.waitForStatus(statusId, ({ kind }) => kind === "error", patience);
    await picture("damaged");
    await row.click({ button: "right" });
    await workbench.chooseInMenu("Accept Budget as Written");
    await workbench
      .tree("Budgets")
      .getByText(/of 90k/u)
      .waitFor();
  });

  test("a message between agents waits for the user, who approves it in a notification", async () => {
    const { workbench, scratch } = editor;
    await workbench.clearNotifications();
    const about = {
      session_id: transcript.id,
      cwd: scratch.workspace,
      agent_type: "frontend",
      tool_name: "SendMessage",
      tool_input: { to: "backend", message: "Which port does the API have?" },
    };
    await post(scratch, { ...about, hook_event_name: "PreToolUse", tool_use_id: "toolu_1" });
    const waiting = post(scratch, { ...about, hook_event_name: "PermissionRequest" });
    const asked = await workbench.waitForNotification(/approve\?/u, patience);
    assert.equal(asked.message, "[frontend → backend] “Which port does the API have?” — approve?");
    assert.deepEqual(asked.actions, ["Approve", "Deny", "Show"]);
    await picture("message");
    await workbench.answerNotification(/approve\?/u, "Approve");
    assert.match(await waiting, /"behavior":"allow"/u);
  });

  test("hooks are uninstalled by a button, and the settings are as before", async () => {
    const { workbench } = editor;
    await workbench.clearNotifications();
    await workbench.runCommand("Purser: Set Up Hooks…");
    const row = workbench.quickPickRows().filter({ hasText: "Claude Code · Everywhere" }).first();
    await row.hover();
    await row.getByRole("button", { name: "Uninstall…" }).click();
    await choose("is restored byte for byte");
    await workbench.waitForNotification(/Hooks removed/u, patience);
    assert.equal(await readFile(file, "utf8"), settings);
  });
});

const placeSchema = z.object({ port: z.int(), token: z.string() });

/** Posts a hook as an attended session of an agents' team would; returns the response body. */
async function post(scratch: Scratch, hook: Readonly<Record<string, unknown>>): Promise<string> {
  const text = await readFile(join(scratch.home, ".purser", "hooks.json"), "utf8");
  const { port, token } = placeSchema.parse(JSON.parse(text));
  const headers = { authorization: `Bearer ${token}`, [teamsHeader]: "1", [entryHeader]: "cli" };
  const answer = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(hook),
  });
  return await answer.text();
}
