import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { mkdir, readFile, readdir, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { systemClock } from "../../../src/engine/base/timing.ts";
import { prepareFixtureModules } from "../../../src/engine/bench/fixture.ts";
import { loadSuite } from "../../../src/engine/bench/suite/load-suite.ts";
import { sourceSuite } from "../../../src/engine/bench/suite/folders.ts";
import { hostCache } from "../cache-folder.ts";
import { jobId, openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder, repository } from "../repository.ts";
import type { Scratch } from "../scratch.ts";
import { keepTwoTasks } from "./small-suite.ts";
import { makeTranscript } from "../transcript.ts";

const limit = 300_000; // ms for everything
const patience = 60_000; // ms for a bench of a few tasks, each with its own check, on a loaded machine

/** Benchmarks as a person uses them, with the recordings shipped with purser. */
describe("benchmarks, as a person sees them", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      prepare,
      change: keepTwoTasks,
      settings: { "purser.testing.show": true },
    });
    await editor.workbench.waitForStatus(statusId, ({ text }) => text === "$(dashboard)");
  });
  after(() => editor.close());
  const picture = (name: string) => editor.workbench.screenshot(join(outFolder, "eyes", `bench-${name}.png`));
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const choose = async (label: string | RegExp) => {
    const row = editor.workbench.quickPickRows().filter({ hasText: label }).first();
    await row.waitFor();
    await row.click();
  };

  test("a benchmark is planned in its panel, with its price on the button", async () => {
    await editor.workbench.newExperiment("Benchmark");
    await panel().getByRole("button", { name: "Try with Recordings (Demo)" }).click({ timeout: patience });
    const runs = panel().getByLabel("Runs of each task");
    await runs.fill("1");
    await runs.press("Tab");
    await panel().getByRole("button", { name: "Replay 2 runs · free" }).waitFor({ timeout: patience });
    await picture("price");
    await panel().getByRole("button", { name: "Replay 2 runs · free" }).click();
  });

  test("continues in its panel, in the status bar and in a notification", async () => {
    const { workbench } = editor;
    await workbench.waitForStatus(jobId, ({ text }) => /\$\(beaker[^)]*\) \d\/2/u.test(text), patience);
    await workbench.waitForNotification(/Benchmark of backend/u, patience);
    await panel().locator(".cell.live").first().waitFor({ timeout: patience });
    await panel().getByText("Demo: replays a recording. It says nothing about a model.").waitFor();
    await picture("running");
  });

  test("continues while the window is reloaded", async () => {
    const { workbench } = editor;
    await panel()
      .getByText(/^1 of 2 runs$/u)
      .waitFor({ timeout: patience });
    await workbench.reload();
    await panel().getByRole("heading", { name: "Runs" }).waitFor({ timeout: patience });
    await picture("reloaded");
    await panel().getByText("2 of 2 runs", { exact: true }).waitFor({ timeout: patience });
    await panel().getByText("Done", { exact: true }).waitFor();
    await panel()
      .getByText(/2 of 2 passed/u)
      .waitFor();
    await workbench.page.locator(`.statusbar-item[id$="${jobId}"]`).waitFor({ state: "detached" });
    await picture("done");
  });

  test("a run is shown turn by turn", async () => {
    await panel()
      .getByRole("button", { name: /^Run 1 of / })
      .first()
      .click();
    const timeline = panel().getByRole("table", { name: "Timeline of Run 1" });
    await timeline.getByText("Read").first().waitFor();
    await picture("run");
    await editor.workbench.page.keyboard.press("Escape");
  });

  test("golden tasks are tests: they run, and report their tokens", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Testing: Focus on Test Explorer View");
    const tree = workbench.page.locator(".test-explorer-tree");
    const root = tree
      .locator(".monaco-list-row")
      .filter({ hasText: "Golden Tasks (Context Purser)" })
      .first();
    await root.waitFor({ timeout: patience });
    const agent = tree.locator(".monaco-list-row").filter({ hasText: "sql" }).first();
    if (!(await agent.isVisible())) {
      await root.click();
      await workbench.page.keyboard.press("ArrowRight");
    }
    await agent.waitFor({ timeout: patience });
    await agent.click();
    await workbench.page.keyboard.press("ArrowRight");
    await agent.hover();
    await agent.getByRole("button", { name: /^Run Test/u }).click();
    // Without an agent only the demo is possible, and the dialog names it a demo.
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText("No agent is ready.").waitFor({ timeout: patience });
    await picture("tests-demo");
    await dialog.getByRole("button", { name: "Replay (Demo)" }).click();
    await tree.locator(".codicon-testing-passed-icon").nth(2).waitFor({ timeout: patience });
    // A test's cost is painted after its icon.
    await tree.locator(".monaco-list-row").filter({ hasText: /\d+k/ }).nth(1).waitFor({ timeout: patience });
    await picture("tests");
  });

  test("what was measured becomes the agent's history", async () => {
    const { workbench } = editor;
    await workbench.newExperiment("Benchmark");
    await panel().getByText("No agent is ready.").waitFor({ timeout: patience });
    await picture("no-agent");
    // The panel keeps what was planned last.
    await panel().getByRole("button", { name: "Replay 2 runs · free" }).waitFor({ timeout: patience });
    await picture("form");
    await panel().locator("button.back").click();
    const table = panel().getByRole("table", { name: "Experiments" });
    await table.getByRole("button", { name: /^sql/u }).waitFor();
    await picture("list");
  });

  test("a finished session becomes the draft of a golden task, with a list of what remains", async () => {
    const { workbench, scratch } = editor;
    tideSession(scratch);
    await workbench.waitForStatus(statusId, ({ text }) => text.includes("%"), patience);
    await workbench.runCommand("Purser: Show Sessions");
    const session = workbench.tree("Sessions").locator(".monaco-list-row").filter({ hasText: "%" }).first();
    await session.click({ button: "right" });
    await workbench.chooseInMenu("New Golden Task from Session…");
    await choose("backend");
    await workbench.waitForNotification(
      /Draft golden task created for backend.*lists what remains/u,
      patience,
    );
    await workbench.page.locator(".tab.active").filter({ hasText: "tide" }).waitFor();
    await picture("draft");
    const tasks = join(scratch.workspace, ".purser", "golden", "tasks", "backend");
    const drafted = await readdir(tasks);
    const draft = await readFile(
      join(tasks, drafted.find((name) => name.endsWith(".draft.md")) ?? ""),
      "utf8",
    );
    assert.match(draft, /What remains:\n\n- \[ \] Freeze the project [^\n]*purser golden freeze --commit/u);
    assert.ok(
      drafted.some((name) => name.endsWith(".patch")) && drafted.some((name) => name.endsWith(".md")),
    );
  });
});

/** Writes a session with a prompt to write a file and its completed result. */
function tideSession(scratch: Scratch): void {
  const session = makeTranscript(scratch);
  const about = {
    type: "user",
    sessionId: session.id,
    cwd: scratch.workspace,
    isSidechain: false,
    version: "2.1.332",
    userType: "external",
    parentUuid: null,
    timestamp: new Date().toISOString(),
  };
  const asked = { ...about, uuid: "u-1", message: { role: "user", content: "Add a tide table." } };
  const wrote = {
    ...about,
    uuid: "u-2",
    parentUuid: "u-1",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t-1", content: "Written." }] },
    toolUseResult: {
      type: "create",
      filePath: join(scratch.workspace, "src", "tide-table.ts"),
      content: "export const tides = [0, 6, 12, 18];\n",
      originalFile: null,
    },
  };
  appendFileSync(session.file, `${JSON.stringify(asked)}\n${JSON.stringify(wrote)}\n`);
  session.turn(40_000);
}

/** Installs the golden project's dependencies once for all tests, and slows replaying down enough to be watched. */
async function prepare({ home, env }: Scratch): Promise<void> {
  const suite = await loadSuite(sourceSuite(join(repository, "src", "engine")));
  assert.ok(suite.ok);
  const cache = join(hostCache(process.env, homedir()), "fixture");
  const signal = new AbortController().signal;
  const { fixture } = suite.value;
  assert.ok(fixture !== null);
  const made = await prepareFixtureModules(fixture, {
    cache,
    env: process.env,
    signal,
    clock: systemClock,
  });
  assert.ok(made.ok);
  await mkdir(join(home, ".purser"), { mode: 0o700 });
  await symlink(cache, join(home, ".purser", "fixture"));
  env["PURSER_REPLAY_PACE"] = "30";
}
