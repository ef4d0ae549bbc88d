import { plainSentence } from "../../../../src/engine/base/language.ts";
import { after, before, describe, test } from "node:test";
import { assert } from "../../../engine/support/assert-texts.ts";
import type { PanelMessage, Place } from "../../../../src/webview/experiments/experiments-protocol.ts";
import type { PanelPage } from "../../panel-page.ts";
import { startPanel } from "../../start-panel.ts";
import { experimentsPanel, replyAsHost, stateOf, type HostOptions } from "../open-panel.ts";
import { ask, jobMessage, makeRun, makeRunning, makeView, runMessage } from "./fixtures.ts";
import { makePage } from "./page-fixture.ts";

const home: Place = { kind: "home" };
const bench: Place = { kind: "job", id: "b3" };

let panel: PanelPage<PanelMessage>;
before(async () => {
  panel = await startPanel(experimentsPanel);
});
after(() => panel.close());

const open = async (place: Place, host: HostOptions = {}) =>
  panel.open({ reply: replyAsHost(host), state: stateOf(place) });
/** Opens the panel without a host: the test sends every message. */
const openSilent = async (place: Place = home) => panel.open({ state: stateOf(place) });
const last = () => panel.panelMessages.at(-1);
const finish = () => {
  assert.deepEqual(panel.pageErrors, []);
};

describe("a bench is watched", { timeout: 240_000 }, () => {
  test("cells fill, fail and progress; runs that died of their environment fill none", async () => {
    const page = await open(bench, { isRunning: true });
    const table = page.getByRole("table", { name: "Runs by task" });
    await table.getByRole("button", { name: /^Run 1 of Refuse an order.*Passed.*vs\. baseline/u }).waitFor();
    assert.equal(await table.locator(".cell.failed").count(), 1);
    assert.equal(await table.locator(".cell.environment").count(), 1);
    assert.equal(await table.locator(".cell.live").count(), 1);
    // Whether a run passed is seen before its tokens, and in words.
    assert.equal(await table.locator(".cell.passed .what > .icon:first-child").count(), 4);
    await page.getByRole("progressbar", { name: "Runs made: 5 of 12; 1 under way" }).waitFor();
    await page.getByText("219k of ~512k tokens").waitFor();
    await panel.postToPanel(jobMessage(makeView()));
    await page.getByText("12 of 12 runs", { exact: true }).waitFor();
    assert.equal(await page.getByRole("status").innerText(), "Done. 12 of 12 runs are made.");
    finish();
  });

  test("it can be cancelled, and resumed at the price of what is left", async () => {
    const page = await open(bench, { isRunning: true });
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(last(), { type: "cancel", id: "b3" });
    await panel.postToPanel(jobMessage(makeRunning({ kind: "cancelled" })));
    await page.getByRole("button", { name: "Resume 7 runs · ~299k tokens · ~$1.98" }).click();
    assert.deepEqual(last(), { type: "resume", id: "b3" });
    await page.getByRole("button", { name: "Export JSON" }).click();
    assert.deepEqual(last(), { type: "export", id: "b3", format: "json" });
    finish();
  });

  test("paused of its environment, interrupted and failed: why, and a way on", async () => {
    const page = await open(bench, { isRunning: true });
    const states = [
      [
        { kind: "paused", reason: "environment", detail: plainSentence("429: the week's limit is reached") },
        /week's limit/u,
      ],
      [
        { kind: "interrupted", detail: plainSentence("The service ended while it was under way.") },
        /Runs that ended are kept/u,
      ],
      [
        { kind: "failed", detail: plainSentence("the fixture was changed: src/app.ts") },
        /fixture was changed/u,
      ],
    ] as const;
    for (const [state, words] of states) {
      await panel.postToPanel(jobMessage(makeRunning(state)));
      await page.locator(".banner").getByText(words).waitFor();
      assert.equal(await page.getByRole("button", { name: /^Resume 7 runs/u }).count(), 1);
    }
    finish();
  });

  test("the first one shows how many packages of the project it waits for", async () => {
    const page = await openSilent(bench);
    const begun = makeView({ state: { kind: "running" }, runs: [], change: { done: 0 } });
    await panel.postToPanel(jobMessage({ ...begun, preparing: { fetched: 62, packages: 189 } }));
    const progress = page.getByRole("progressbar", { name: "Preparing the project: 62 of 189 packages" });
    await progress.waitFor();
    assert.equal(await progress.getAttribute("aria-valuenow"), "62");
    await panel.postToPanel(jobMessage(begun));
    await page.getByRole("progressbar", { name: "Runs made: 0 of 12" }).waitFor();
    finish();
  });

  test("a waiting bench shows how many are ahead", async () => {
    const page = await openSilent(bench);
    const waiting = makeView({ state: { kind: "queued", ahead: 2 }, runs: [], change: { done: 0 } });
    await panel.postToPanel(jobMessage(waiting));
    await page.getByText("Waiting for 2 benchmarks to finish.").waitFor();
    finish();
  });

  test("a replayed bench is labelled on its page and on its runs' pages", async () => {
    const runs = makeView().runs.map((run) => ({ ...run, driver: "replay" as const, recordedBy: "script" }));
    const change = { ask: { ...ask, driver: "replay" as const }, recordedBy: ["script"] };
    const page = await open(bench, { view: makeView({ runs, change }) });
    const label = page.getByText("Demo: replays a recording. It says nothing about a model.");
    await label.waitFor();
    await page.getByRole("button", { name: /^Run 1 of Refuse/u }).click();
    await page.getByRole("heading", { name: "Refuse an order without a customer · run 1" }).waitFor();
    await label.waitFor();
    finish();
  });

  test("history is a chart and a table", async () => {
    const page = await open(bench);
    const chart = page.getByRole("slider", { name: "New tokens per completed run, by benchmark" });
    await chart.focus();
    await page.keyboard.press("Home");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /no rules/u);
    await page.getByRole("button", { name: /^Show Table/u }).click();
    await page.getByRole("table", { name: "New tokens per completed run, by benchmark" }).waitFor();
    finish();
  });
});

describe("a run's page", { timeout: 240_000 }, () => {
  test("turn by turn, beside another one, and back with Escape", async () => {
    const page = await open(bench);
    await page.getByRole("button", { name: /^Run 1 of Refuse/u }).click();
    const timeline = page.getByRole("table", { name: "Timeline of Run 1" });
    await timeline.getByText("src/repositories/order-repository.ts").first().waitFor();
    await page.getByLabel("Beside it").selectOption({ index: 1 });
    await page.getByRole("table", { name: "Timeline of Run 2" }).waitFor();
    const file = "src/routes/orders.ts";
    const own = { type: "openChange", id: "b3", path: file, name: "Run 1" };
    await page.getByRole("button", { name: file, exact: true }).first().click();
    assert.deepEqual({ ...last(), runId: "" }, { ...own, runId: "", other: null });
    await page.getByRole("button", { name: `Compare ${file} with run 2` }).click();
    const compared = last();
    assert.ok(compared?.type === "openChange" && compared.other?.name === "Run 2");
    assert.notEqual(compared.other.runId, compared.runId);
    await timeline.getByText("Final answer").waitFor();
    await page.getByText("What the check printed").first().click();
    await page.getByText("9 passed").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Results" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("table", { name: "Experiments" }).waitFor();
    assert.deepEqual(last(), { type: "look", place: home });
    finish();
  });

  test("arrow keys go from run to run", async () => {
    const page = await open(bench);
    await page.getByRole("button", { name: /^Run 1 of Refuse/u }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    const focused = page.locator("button:focus");
    assert.match((await focused.getAttribute("aria-label")) ?? "", /^Run 2 of Page through/u);
    finish();
  });

  test("shows texts of an agent and a check as plain text, cleaned and cut", async () => {
    const evil = `<img src=x onerror="window.hacked=1">\u202E\u001b[31m${"x".repeat(3000)}`;
    const page = await openSilent({ kind: "run", id: "b3", runId: "r", beside: null });
    const reported = makePage(
      makeRun("backend-01", 1, { id: "r", outcome: "failed", detail: plainSentence(evil), model: evil }),
    );
    const [turn] = reported.trajectory?.turns ?? [];
    assert.ok(turn !== undefined);
    const calls = [{ tool: evil, target: evil, isError: true }];
    await panel.postToPanel(
      runMessage({
        ...reported,
        taskTitle: evil,
        label: plainSentence(evil),
        trajectory: {
          turns: [
            { ...turn, calls },
            { ...turn, turn: 2, calls: [], text: evil },
          ],
          changes: [{ path: evil, isRemoved: true }],
          checkOutput: evil,
        },
      }),
    );
    await page.getByRole("heading", { name: "Timeline" }).waitFor();
    const found = await page.evaluate(`JSON.stringify({
      hacked: window.hacked ?? null,
      made: document.querySelector("purser-experiments").shadowRoot.querySelectorAll("img").length,
      marks: /[\\u202A-\\u202E\\u001b]/u.test(document.querySelector("purser-experiments").shadowRoot.textContent),
      wide: document.documentElement.scrollWidth > window.innerWidth,
    })`);
    assert.deepEqual(JSON.parse(String(found)), { hacked: null, made: 0, marks: false, wide: false });
    finish();
  });
});

describe("states with problems", { timeout: 240_000 }, () => {
  test("a skeleton, offline, errors, and what is not there any more", async () => {
    const page = await openSilent();
    await page.locator(".skeleton").waitFor();
    assert.equal(await page.getByRole("main").getAttribute("aria-busy"), "true");
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(last(), { type: "retry" });
    await openSilent(bench);
    await panel.postToPanel({ type: "error", about: "job", message: "It could not be read: EACCES" });
    await page.getByRole("paragraph").filter({ hasText: "EACCES" }).first().waitFor();
    await panel.postToPanel({ type: "job", id: "b3", view: null });
    await page.getByRole("heading", { name: "This experiment no longer exists" }).waitFor();
    await panel.postToPanel(jobMessage(makeView()));
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await page.locator(".banner").getByText("not running").waitFor();
    assert.ok(await page.getByRole("heading", { name: "Results" }).isVisible());
    finish();
  });

  test("shows a bench started anywhere, and remembers it over a reload", async () => {
    const page = await open(home);
    await page.getByRole("table", { name: "Experiments" }).waitFor();
    await panel.postToPanel({ type: "show", place: bench });
    await page.getByRole("heading", { name: "Results" }).waitFor();
    const state = await panel.savedState();
    await panel.open({ state, reply: replyAsHost() });
    await page.getByRole("heading", { name: "Results" }).waitFor();
    finish();
  });
});
