import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { FrameLocator } from "playwright-core";
import { z } from "zod";
import { isProcessAlive } from "../../../src/engine/base/process/system-commands.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import type { Scratch } from "../scratch.ts";

const limit = 240_000; // ms for everything
const patience = 60_000; // ms for one change to be seen, on a loaded machine

/** The first minute of a person without any agent: the sample, from its button to its end. */
describe("the sample, as a person sees it", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({ choice: "newest", prepare });
    await editor.workbench.waitForStatus(statusId, ({ text }) => text === "$(dashboard)");
  });
  after(() => editor.close());
  const picture = (name: string) =>
    editor.workbench.screenshot(join(outFolder, "eyes", `sample-${name}.png`));
  const panel = (): FrameLocator =>
    editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
  const banner = () => panel().getByRole("navigation", { name: "Panels of the sample" });
  const go = (name: string) =>
    banner().getByRole("button", { name, exact: true }).click({ timeout: patience });
  const left = () =>
    readdirSync(temporaryOf(editor.scratch)).filter((name) => name.startsWith("purser-sample-"));

  test("the empty Sessions view offers it, and it opens with its sessions and its Ledger", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Show Sessions");
    const offer = workbench.page.getByRole("button", { name: "Open Sample", exact: true });
    await offer.waitFor({ timeout: patience });
    await picture("welcome");
    await offer.click();
    await panel().getByText("Nothing here is yours.").waitFor({ timeout: patience });
    await panel().getByRole("table").first().waitFor({ state: "attached", timeout: patience });
    assert.deepEqual(await workbench.tabs(), ["Sample: Usage"]);
    await workbench
      .tree("Sample")
      .getByText("The tide table is an hour off")
      .first()
      .waitFor({ timeout: patience });
    await picture("ledger");
  });

  test("its folder is closed to others, and the window's own item shows nothing of it", async () => {
    const [folder = ""] = left();
    assert.equal(statSync(join(temporaryOf(editor.scratch), folder)).mode & 0o777, 0o700);
    assert.equal((await editor.workbench.readStatus(statusId))?.text, "$(dashboard)");
    assert.deepEqual(
      readdirSync(editor.scratch.home).filter((name) => name !== ".purser" && !name.startsWith(".c")),
      [],
    );
  });

  test("a session plays beside it, can be stopped, and goes on to its handover", async () => {
    const { workbench } = editor;
    const sample = "purser.sample";
    const percentOf = (text: string) => Number(/(\d+)%/u.exec(text)?.[1] ?? 0);
    const begun = await workbench.waitForStatus(sample, ({ text }) => percentOf(text) > 0, patience);
    await workbench.waitForStatus(sample, ({ text }) => percentOf(text) > percentOf(begun.text), patience);
    const view = workbench.page.locator(".pane", { hasText: "Sample data. Nothing here is yours." }).first();
    await view.hover();
    await view.getByRole("button", { name: "Stop Playing" }).click();
    await workbench.page.waitForTimeout(2500);
    const stopped = await workbench.readStatus(sample);
    await workbench.page.waitForTimeout(3000);
    assert.equal((await workbench.readStatus(sample))?.text, stopped?.text);
    await view.hover();
    await view.getByRole("button", { name: "Play Sample" }).click();
    await workbench.waitForStatus(sample, ({ kind }) => kind === "error", patience * 1.5);
    await picture("red");
    const tooltip = await workbench.hoverStatus(sample);
    assert.match(tooltip, /Sample data[^]*Budget[^]*1[.,]6/u);
    await picture("tooltip");
    await workbench.page.mouse.move(400, 300);
    await workbench.waitForStatus(sample, ({ text }) => text.includes("saved"), patience);
    assert.equal((await workbench.readStatus(statusId))?.text, "$(dashboard)");
    await workbench.clickStatus(sample);
    await panel().getByText("Continues", { exact: false }).first().waitFor({ timeout: patience });
    await picture("relay");
    await panel().getByRole("button", { name: "Usage", exact: true }).first().click();
  });

  test("every panel has content, names the sample, and links to the next", async () => {
    await go("Rules");
    await panel()
      .getByRole("heading", { name: /^Proposed \d/u })
      .waitFor({ timeout: patience });
    await panel()
      .getByRole("tab", { name: /^In Memory/u })
      .click();
    await panel().getByText("Run only the test file of what you changed").first().click();
    await panel().getByRole("heading", { name: "Evidence" }).waitFor({ timeout: patience });
    await panel().getByText("Nothing here is yours.").waitFor();
    await picture("rules");
    await go("Experiments");
    await panel().getByRole("table", { name: "Experiments" }).waitFor({ timeout: patience });
    await picture("experiments");
    await panel().getByRole("button", { name: "backend", exact: true }).first().click();
    await panel().getByText("Nothing here is yours.").waitFor({ timeout: patience });
    await picture("benchmark");
    await panel()
      .getByRole("button", { name: /^Run 1 of / })
      .first()
      .click();
    await panel().getByRole("table", { name: "Timeline of Run 1" }).getByText("Read").first().waitFor();
    await picture("run");
    await go("Experiments");
    await panel().getByRole("button", { name: "CLAUDE.md" }).first().click();
    await panel().locator(".verdict .sentence").waitFor({ timeout: patience });
    await picture("comparison");
    await go("Recurring Agents");
    await panel()
      .getByText(/^keeper: 2 tasks done for \$[\d.]+ · reusing sessions saved \d+%$/u)
      .waitFor({ timeout: patience });
    await picture("recurring");
    assert.deepEqual(await editor.workbench.tabs(), [
      "Sample: Usage",
      "Sample: Rules",
      "Sample: Experiments",
      "Sample: Recurring Agents",
    ]);
  });

  test("it is as legible on a light background", async () => {
    await editor.workbench.setColorTheme("Light Modern");
    await go("Usage");
    await panel().getByRole("table").first().waitFor({ state: "attached", timeout: patience });
    await picture("ledger-light");
    await go("Rules");
    await panel()
      .getByRole("tab", { name: /^Waiting/u })
      .click({ timeout: patience });
    await panel()
      .getByRole("heading", { name: /^Proposed \d/u })
      .waitFor({ timeout: patience });
    await picture("rules-light");
  });

  test("closing it takes its panels, its view and its folder", async () => {
    await panel().getByRole("button", { name: "Close Sample" }).click({ timeout: patience });
    await editor.workbench.tree("Sample").waitFor({ state: "detached", timeout: patience });
    await editor.workbench.page
      .locator(".tab", { hasText: "Sample:" })
      .first()
      .waitFor({ state: "detached" });
    const deadline = Date.now() + patience;
    while (left().length > 0 && Date.now() < deadline) await editor.workbench.page.waitForTimeout(100);
    assert.deepEqual(left(), []);
    await picture("closed");
  });

  test("opens again, and closing the window's page leaves nothing of it either", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Open Sample");
    await panel().getByText("Nothing here is yours.").waitFor({ timeout: patience });
    assert.equal(left().length, 1);
    await workbench.reload();
    const deadline = Date.now() + patience;
    while (left().length > 0 && Date.now() < deadline) await workbench.page.waitForTimeout(100);
    assert.deepEqual(left(), []);
    assert.deepEqual(await workbench.tabs(), []);
  });

  test("when the extension host is killed, the sample's service, folder, panel and view go", async () => {
    const { workbench, scratch } = editor;
    // The window was just reloaded.
    await workbench.waitForStatus(statusId, ({ text }) => text === "$(dashboard)", patience);
    await workbench.runCommand("Purser: Open Sample");
    await panel().getByText("Nothing here is yours.").waitFor({ timeout: patience });
    await workbench.tree("Sample").waitFor({ timeout: patience });
    const folder = join(temporaryOf(scratch), left()[0] ?? "");
    const service = pidIn(join(folder, "purser", "service.json"));
    process.kill(pidIn(join(folder, "owner.json")), "SIGKILL");
    await workbench.page.locator(".tab").waitFor({ state: "detached", timeout: patience });
    await workbench.tree("Sample").waitFor({ state: "detached", timeout: patience });
    await waitUntil(() => left().length === 0 && !isProcessAlive(service), patience);
  });
});

function pidIn(file: string): number {
  return z.looseObject({ pid: z.int() }).parse(JSON.parse(readFileSync(file, "utf8"))).pid;
}

function temporaryOf({ root }: Scratch): string {
  return join(root, "tmp");
}

/** A temporary folder of the test's own. */
function prepare(scratch: Scratch): Promise<void> {
  mkdirSync(temporaryOf(scratch));
  scratch.env["TMPDIR"] = temporaryOf(scratch);
  return Promise.resolve();
}
