import { plainSentence } from "../../../src/engine/base/language.ts";
import { after, before, describe, test } from "node:test";
import { assert } from "../../engine/support/assert-texts.ts";
import { z } from "zod";
import { describeInstall } from "../../../src/engine/bench/plan.ts";
import { firstState, type PanelMessage, type Place } from "../../../src/webview/bench/bench-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { benchPanel, replyAsHost, type HostOptions } from "./open-panel.ts";
import {
  ask,
  benchMessage,
  choicesMessage,
  jobsMessage,
  makeRun,
  makeRunning,
  makeView,
  plan,
  runMessage,
} from "./fixtures.ts";
import { makePage } from "./page-fixture.ts";

const home: Place = { kind: "home" };
const bench: Place = { kind: "bench", id: "b3" };

let panel: PanelPage<PanelMessage>;
before(async () => {
  panel = await startPanel(benchPanel);
});
after(() => panel.close());

const open = async (place: Place, host: HostOptions = {}) =>
  panel.open({ reply: replyAsHost(host), state: { place, ask: null, scroll: 0 } });
/** Opens the panel without a host: the test sends every message. */
const openSilent = async (place: Place = home) => panel.open({ state: { ...firstState, place } });
const last = () => panel.panelMessages.at(-1);
const finish = () => {
  assert.deepEqual(panel.pageErrors, []);
};

describe("a bench is planned before anything is spent", { timeout: 240_000 }, () => {
  test("the button names the price of the form's request, and starts that request", async () => {
    const page = await open(home);
    await page.getByRole("button", { name: "Run 12 runs · ~512k tokens · ~$3.40" }).click();
    const text = last();
    assert.ok(text?.type === "start");
    assert.deepEqual(text.ask, { ...ask, model: null });
    finish();
  });

  test("the button has no price and cannot be pressed while the price is computed again", async () => {
    const page = await open(home);
    await page.getByRole("button", { name: /^Run 12 runs/u }).waitFor();
    await panel.open({ state: { place: home, ask, scroll: 0 } });
    await panel.postToPanel(choicesMessage());
    await panel.postToPanel(jobsMessage([]));
    const button = page.getByRole("button", { name: "Run", exact: true });
    await button.waitFor();
    assert.ok(await button.isDisabled());
    await panel.postToPanel({ type: "plan", ask: { ...ask, runs: 9 }, plan, problem: null });
    assert.ok(await button.isDisabled(), "a price of something else");
    await panel.postToPanel({ type: "plan", ask, plan, problem: null });
    await page.getByRole("button", { name: /^Run 12 runs/u }).waitFor();
    finish();
  });

  test("agents, tasks, model and runs are chosen, and each choice is priced and remembered", async () => {
    const page = await open(home);
    await page.getByLabel("Agent").selectOption("sql");
    await page.getByLabel("Runs of each task").fill("7");
    await page.getByLabel("Runs of each task").press("Tab");
    await page.getByLabel("Model").fill("haiku");
    await page.getByLabel("Model").press("Tab");
    await page.getByLabel("Task 2 of sql").uncheck();
    const text = last();
    assert.ok(text?.type === "plan");
    const { agents, runs, model, taskIds } = text.ask;
    assert.deepEqual([agents, runs, model], [["sql"], 7, "haiku"]);
    assert.deepEqual(taskIds, ["sql-01", "sql-03", "sql-04"]);
    assert.deepEqual(z.object({ ask: z.unknown() }).parse(await panel.savedState()).ask, text.ask);
    await page.getByLabel("Agent").selectOption("All");
    const all = last();
    assert.ok(all?.type === "plan");
    assert.equal(all.ask.agents.length, 4);
    finish();
  });

  test("the last task stays chosen, and an agent that is not there cannot be chosen", async () => {
    const page = await open(home);
    for (const name of ["Page through", "Do not lose", "Answer 409"])
      await page.getByLabel(new RegExp(`^${name}`, "u")).uncheck();
    assert.ok(await page.getByLabel("Refuse an order without a customer").isDisabled());
    assert.ok(await page.getByRole("option", { name: "Codex: not ready" }).isDisabled());
    finish();
  });

  test("a replay is marked as one, and as free", async () => {
    const page = await open(home);
    await page.getByLabel("Run with").selectOption({ label: "Replay of recordings (free demo)" });
    await page.getByText("Demo: replays a recording. It says nothing about a model.").waitFor();
    await page.getByRole("button", { name: "Replay 4 runs · free" }).waitFor();
    assert.equal(await page.getByLabel("Model").count(), 0);
    finish();
  });

  test("explains why an untrusted workspace's own suite is missing", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage({}, false));
    await page.getByRole("button", { name: "Manage Trust" }).click();
    assert.deepEqual(last(), { type: "manageTrust" });
    finish();
  });

  test("lists downloads before the first run above the button, and nothing once they are there", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage());
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    const first = last();
    assert.ok(first?.type === "plan");
    const post = (install: typeof plan.install) =>
      panel.postToPanel({ type: "plan", ask: first.ask, plan: { ...plan, install }, problem: null });
    const said = page.locator("form .banner", { hasText: "npm downloads" });
    await post({ packages: 213 });
    await said.waitFor();
    assert.equal((await said.innerText()).trim(), describeInstall({ packages: 213 }));
    await post(null);
    await said.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Run 12 runs/u }).waitFor();
    finish();
  });

  test("gives the reason if no plan can be made", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage());
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    const first = last();
    assert.ok(first?.type === "plan");
    const problem = "The fixture was changed: src/app.ts.";
    await panel.postToPanel({ type: "plan", ask: first.ask, plan: null, problem });
    await page.locator(".banner").getByText(problem).waitFor();
    assert.equal(await page.getByRole("status").innerText(), problem);
    finish();
  });
});

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
    await panel.postToPanel(benchMessage(makeView()));
    await page.getByText("12 of 12 runs", { exact: true }).waitFor();
    assert.equal(await page.getByRole("status").innerText(), "Done. 12 of 12 runs are made.");
    finish();
  });

  test("it can be cancelled, and resumed at the price of what is left", async () => {
    const page = await open(bench, { isRunning: true });
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(last(), { type: "cancel", id: "b3" });
    await panel.postToPanel(benchMessage(makeRunning({ kind: "cancelled" })));
    await page.getByRole("button", { name: "Resume 7 runs · ~299k tokens · ~$1.98" }).click();
    assert.deepEqual(last(), { type: "resume", id: "b3" });
    await page.getByRole("button", { name: "Export JSON" }).click();
    assert.deepEqual(last(), { type: "export", id: "b3" });
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
      await panel.postToPanel(benchMessage(makeRunning(state)));
      await page.locator(".banner").getByText(words).waitFor();
      assert.equal(await page.getByRole("button", { name: /^Resume 7 runs/u }).count(), 1);
    }
    finish();
  });

  test("a waiting bench shows how many are ahead", async () => {
    const page = await openSilent(bench);
    const waiting = makeView({ state: { kind: "queued", ahead: 2 }, runs: [], change: { done: 0 } });
    await panel.postToPanel(benchMessage(waiting));
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
    await page.getByRole("heading", { name: "Past benchmarks" }).waitFor();
    assert.deepEqual(last(), { type: "plan", ask: { ...ask, model: null } });
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
      made: document.querySelector("purser-bench").shadowRoot.querySelectorAll("img").length,
      marks: /[\\u202A-\\u202E\\u001b]/u.test(document.querySelector("purser-bench").shadowRoot.textContent),
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
    await panel.postToPanel({ type: "error", about: "bench", message: "It could not be read: EACCES" });
    await page.getByRole("paragraph").filter({ hasText: "EACCES" }).first().waitFor();
    await panel.postToPanel({ type: "bench", id: "b3", view: null });
    await page.getByRole("heading", { name: "This benchmark no longer exists" }).waitFor();
    await panel.postToPanel(benchMessage(makeView()));
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await page.locator(".banner").getByText("not running").waitFor();
    assert.ok(await page.getByRole("heading", { name: "Results" }).isVisible());
    finish();
  });

  test("no suite, and no usable one", async () => {
    const page = await openSilent();
    await panel.postToPanel(choicesMessage({ suites: [] }));
    await page.getByRole("heading", { name: "There is no golden suite" }).waitFor();
    const broken = { suite: { origin: "built-in" as const }, agents: [], tasks: [] };
    await panel.postToPanel(
      choicesMessage({
        suites: [{ ...broken, problem: plainSentence("The fixture was changed: src/app.ts") }],
      }),
    );
    await page.getByText("The fixture was changed: src/app.ts").waitFor();
    await panel.postToPanel(jobsMessage([]));
    await page.getByText("None yet.").waitFor();
    finish();
  });

  test("shows a bench started anywhere, and remembers it over a reload", async () => {
    const page = await open(home);
    await page.getByRole("heading", { name: "Past benchmarks" }).waitFor();
    await panel.postToPanel({ type: "show", place: bench });
    await page.getByRole("heading", { name: "Results" }).waitFor();
    const state = await panel.savedState();
    await panel.open({ state, reply: replyAsHost() });
    await page.getByRole("heading", { name: "Results" }).waitFor();
    finish();
  });
});
