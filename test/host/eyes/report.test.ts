import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { makeTranscript } from "../transcript.ts";

const limit = 180_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine
const sentence = "Open only the files a task names and those they import.";

/** The status report: agents and rules in one place. */
describe("the status report, as a person sees it", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest", prepare });
    await editor.workbench.waitForStatus(statusId, ({ text }) => text.startsWith("$(dashboard)"));
  });
  after(() => editor.close());
  const picture = (name: string) =>
    editor.workbench.screenshot(join(outFolder, "eyes", `report-${name}.png`));
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const openReport = async () => {
    await editor.workbench.runCommand("Purser: Show Sessions");
    await editor.workbench.chooseInTitle("Sessions", "Open Status Report");
  };
  const agents = () => panel().getByRole("table", { name: "Agents" });

  test("real work that was completed is there, by agent and by project", async () => {
    await openReport();
    await agents().getByText("main").waitFor({ timeout: patience });
    await panel().getByRole("table", { name: "Real work by project" }).waitFor();
    await panel().getByText("Benchmarks took nothing in the same time.").waitFor();
    await picture("work");
  });

  test("a rule that is written now is in it by itself", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Review Rules");
    await panel().getByRole("button", { name: "Add Rule…" }).first().click({ timeout: patience });
    const row = workbench.quickPickRows().filter({ hasText: "sql" }).first();
    await row.waitFor({ timeout: patience });
    // The editor does this itself a moment after the palette closes, which on a busy machine happens after the question
    // appears.
    await panel().locator("body").evaluate("window.focus()");
    await row.click();
    await workbench.answerInputBox("One sentence of 10 to 200 characters", sentence, patience);
    // Rule Review moves to the front.
    await panel().getByRole("heading", { name: "Candidates 1" }).waitFor({ timeout: patience });
    await openReport();
    await agents().getByText("sql").waitFor({ timeout: patience });
    await picture("rule");
  });

  test("is restored after a reload of the window, and links to Rule Review", async () => {
    const { workbench } = editor;
    await workbench.reload();
    await agents().getByText("sql").waitFor({ timeout: patience });
    await panel().getByRole("button", { name: "Review Rules" }).click();
    await panel().getByRole("heading", { name: "Candidates 1" }).waitFor({ timeout: patience });
    // The hidden panel behind the report is not duplicated.
    assert.deepEqual(await workbench.tabs(), ["Status Report", "Rule Review"]);
  });
});

/** Writes a prompt and its final answer, which make a completed run. */
function prepare(scratch: Scratch): Promise<void> {
  const session = makeTranscript(scratch);
  const asked = {
    type: "user",
    sessionId: session.id,
    cwd: scratch.workspace,
    isSidechain: false,
    uuid: "u-1",
    version: "2.1.332",
    userType: "external",
    parentUuid: null,
    timestamp: new Date().toISOString(),
    message: { role: "user", content: "Add a tide table." },
  };
  session.turn(20_000);
  appendFileSync(session.file, `${JSON.stringify(asked)}\n`);
  session.turn(24_000);
  return Promise.resolve();
}
