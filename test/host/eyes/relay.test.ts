import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import { projectFolder, type Scratch } from "../scratch.ts";
import { playSession } from "../try/play-session.ts";
import { readRecordedSession } from "../try/recorded-session.ts";

const limit = 300_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine

/** A Claude Code that writes the transcript of a session with one answer, or ends at once where a file tells it to. */
function agentProgram({ claude, workspace, root }: Scratch): string {
  const transcript = join(projectFolder(claude, workspace), "5e55c000-0000-4000-8000-000000000001.jsonl");
  return `#!${process.execPath}
const { appendFileSync, existsSync, writeFileSync } = require("node:fs");
if (existsSync(${JSON.stringify(join(root, "fails"))})) process.exit(1);
writeFileSync(${JSON.stringify(join(root, "started.json"))}, JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }));
const about = { isSidechain: false, userType: "external", cwd: process.cwd(), sessionId: "5e55c000-0000-4000-8000-000000000001", version: "2.1.330", gitBranch: "" };
const add = (row) => appendFileSync(${JSON.stringify(transcript)}, JSON.stringify({ ...about, timestamp: new Date().toISOString(), ...row }) + "\\n");
add({ type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: process.argv[2] } });
add({ type: "assistant", uuid: "a1", parentUuid: "u1", requestId: "r1", message: { id: "m1", type: "message", role: "assistant", model: "claude-sonnet-4-6", content: [{ type: "text", text: "I go on." }], stop_reason: "end_turn", usage: { input_tokens: 4, cache_creation_input_tokens: 9000, cache_read_input_tokens: 0, output_tokens: 40 } } });
setInterval(() => undefined, 1000);
`;
}

async function installClaude(scratch: Scratch): Promise<void> {
  const file = join(scratch.home, "claude");
  await writeFile(file, agentProgram(scratch), { mode: 0o755 });
  scratch.env["PURSER_CLAUDE"] = file;
  scratch.env["PATH"] = "/usr/bin:/bin";
}

describe("a session is handed over by its card", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      prepare: installClaude,
      settings: { "purser.warnings.enabled": false },
    });
    await mkdir(join(outFolder, "eyes"), { recursive: true });
    const { claude, workspace } = editor.scratch;
    const session = await readRecordedSession();
    // Up to the moment in which the bar is red.
    const last = session.lines.findIndex(({ row }) => row["subtype"] === "compact_boundary");
    const lines = last === -1 ? session.lines : session.lines.slice(0, last);
    await playSession({ session: { ...session, lines }, claude, workspace, pace: 0 });
  });
  after(async () => {
    await editor.workbench.screenshot(join(outFolder, "eyes", "relay-last.png"));
    await editor.close();
  });
  const card = () =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe").locator(".relay");
  const picture = (name: string) => editor.workbench.screenshot(join(outFolder, "eyes", `relay-${name}.png`));

  test("the tooltip of the red bar leads to the card, whose text can be edited", async () => {
    await editor.workbench.waitForStatus(statusId, ({ kind }) => kind === "error", patience);
    await editor.workbench.followStatusLink(statusId, "Hand Over Now");
    await card().getByRole("button", { name: "Start Claude Code" }).waitFor({ timeout: patience });
    assert.notEqual(await card().getByLabel("Goal").inputValue(), "");
    await card().getByLabel("Next step").fill("Run the checks, then mind the tide");
    await picture("card");
  });

  test("an agent that ends before its first prompt leads back to the card, with the changes", async () => {
    const fails = join(editor.scratch.root, "fails");
    await writeFile(fails, "");
    await card().getByRole("button", { name: "Start Claude Code" }).click();
    await card()
      .getByText("Claude Code ended before its first prompt.", { exact: false })
      .waitFor({ timeout: patience });
    assert.match(await card().getByLabel("Next step").inputValue(), /mind the tide/u);
    await picture("ended");
    await rm(fails);
    await editor.workbench.clearNotifications();
    // Within that time a second start is taken for another window's.
    await editor.workbench.page.waitForTimeout(5_500);
  });

  test("the agent starts in the session's folder with the edited text, and the bar goes on with it", async () => {
    await card().getByRole("button", { name: "Start Claude Code" }).click();
    const file = join(editor.scratch.root, "started.json");
    for (const end = Date.now() + patience; !existsSync(file) && Date.now() < end;)
      await editor.workbench.page.waitForTimeout(100);
    const started = readFileSync(file, "utf8");
    assert.match(started, /Handover h[\da-f]{8}: [^]*## Next step[^]*mind the tide/u);
    assert.ok(started.includes(JSON.stringify(editor.scratch.workspace)));
    const { text } = await editor.workbench.waitForStatus(
      statusId,
      (shown) => /\b5\s?%/u.test(shown.text) && shown.kind === "default",
      patience,
    );
    console.log(`  the bar: ${text}`);
    await picture("started");
  });

  test("the card shows what the new session does not know, and copies it where no hook is", async () => {
    await card().getByText("goes on with the work", { exact: false }).waitFor({ timeout: patience });
    await card().getByText("Put Back copies the text", { exact: false }).waitFor();
    await card()
      .getByRole("button", { name: /^Put Back: / })
      .first()
      .click();
    await card().getByText("Copied. Paste it into the new session's prompt.").waitFor({ timeout: patience });
    await picture("afterwards");
    const names = await readdir(join(editor.scratch.home, ".purser", "handovers"));
    assert.equal(names.length, 1);
    assert.match(names[0] ?? "", /^\d{4}-\d\d-\d\d .+\.md$/u);
  });
});
