import { compose, plainSentence } from "../../../../src/engine/base/language.ts";
import { after, before, describe, test } from "node:test";
import { assert } from "../../../engine/support/assert-texts.ts";
import type { JobView } from "../../../../src/engine/jobs/bench-answers.ts";
import type { PanelMessage, Place } from "../../../../src/webview/experiments/experiments-protocol.ts";
import type { PanelPage } from "../../panel-page.ts";
import { startPanel } from "../../start-panel.ts";
import { experimentsPanel, replyAsHost, stateOf } from "../open-panel.ts";
import { jobsMessage } from "../bench/fixtures.ts";
import { ask, looks, makeComparison, makeResult, makeRunning, regression } from "./fixtures.ts";

const home: Place = { kind: "home" };
const comparison: Place = { kind: "job", id: "c1" };

let panel: PanelPage<PanelMessage>;
before(async () => {
  panel = await startPanel(experimentsPanel);
});
after(() => panel.close());

const open = async (place: Place, view: JobView = makeComparison()) =>
  panel.open({ reply: replyAsHost({ view }), state: stateOf(place, ask) });
const openSilent = async (place: Place) => panel.open({ state: stateOf(place, ask) });
const finish = () => assert.deepEqual(panel.pageErrors, []);

describe("a comparison progresses, and ends with a verdict", { timeout: 240_000 }, () => {
  test("a running comparison shows runs, looks, the interim result, the remaining runs, and a way to end it", async () => {
    const page = await open(comparison, makeRunning());
    await page.getByText("24 of at most 96 runs", { exact: true }).waitFor();
    await page.getByText("3 rounds looked at").waitFor();
    await page.locator(".sentence", { hasText: "not decided. About 8 more runs for a decision" }).waitFor();
    await page.getByRole("progressbar", { name: "Runs made: 24 of at most 96; 1 under way" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "cancel", id: "c1" });
    assert.equal(await page.getByRole("heading", { name: "Differences by task" }).count(), 0);
    finish();
  });

  test("the verdict is one sentence at the top, read aloud once it arrives", async () => {
    const page = await open(comparison, makeRunning());
    await page.getByText("3 rounds looked at").waitFor();
    await panel.postToPanel({ type: "job", id: "c1", view: makeComparison() });
    await page.getByText("Better", { exact: true }).waitFor();
    await page.getByText("$0.18 less a run (58%), 31% fewer tokens").waitFor();
    assert.equal(await page.locator(".sentence").innerText(), makeResult().sentence);
    assert.match(await page.getByRole("status").innerText(), /^Done\. haiku takes 13,700 tokens/u);
    finish();
  });

  test("differences are a chart in words too, and a table with the same figures", async () => {
    const page = await open(comparison);
    const chart = page.getByRole("img", { name: /^New tokens of a completed run with the change/u }).first();
    assert.match(
      (await chart.getAttribute("aria-label")) ?? "",
      /Refuse an order without a customer: −8,900, from −12,700 to −5,100\..*All tasks: −13,700, from −19,200 to −8,200\./u,
    );
    await page.getByRole("button", { name: "Show Table: differences by task" }).click();
    const row = page
      .getByRole("table", { name: "Differences by task" })
      .getByRole("row", { name: /^Do not lose/u });
    assert.deepEqual(await row.getByRole("cell").allInnerTexts(), [
      "4",
      "−15,800",
      "−32,800",
      "+1,200",
      "4 of 4",
      "3 of 4",
    ]);
    await page.getByRole("button", { name: "Show Table: round by round" }).click();
    const look = page.getByRole("table", { name: "Round by round" }).getByRole("row", { name: /^2 / });
    assert.deepEqual(await look.getByRole("cell").allInnerTexts(), [
      "Undecided",
      "−12,400",
      "−29,000",
      "+4,200",
      "~24",
      "541,000",
    ]);
    finish();
  });

  test("shows both sides beside each other, with the differences that have an interval", async () => {
    const page = await open(comparison);
    const table = page.getByRole("table", { name: "Both sides" });
    await table.waitFor();
    const cells = async (name: RegExp) =>
      await table.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(await cells(/^haiku/u), ["30,500", "214,000", "15 of 16", "15.9", "61", "0.13"]);
    assert.deepEqual(await cells(/^Difference/u), ["−31%", "", "−6 points", "", "", "−58%"]);
    finish();
  });

  test("names the broken task in the chart, and claims no saving in the list", async () => {
    const page = await open(comparison, makeComparison({ comparison: { result: regression } }));
    await page.getByText("Fails what passed").waitFor();
    await page.locator(".forest .flag", { hasText: "fails now" }).waitFor();
    await page.getByText("no round that both sides completed").waitFor();
    await page.getByRole("button", { name: "Experiments", exact: true }).click();
    const row = page.getByRole("table", { name: "Experiments" }).getByRole("row", { name: /^lean\.md/u });
    assert.equal(await row.getByRole("cell").nth(2).innerText(), "–");
    finish();
  });

  test("a run opens with its pair beside it", async () => {
    const page = await open(comparison);
    await page
      .getByRole("button", { name: /^Run 2 of Refuse an order/u })
      .first()
      .click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "look",
      place: {
        kind: "run",
        id: "c1",
        runId: "c1.backend-01.0.2",
        beside: { id: "c1", runId: "c1.backend-01.1.2" },
      },
    });
    await page.getByRole("button", { name: "Comparison", exact: true }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "look", place: comparison });
    finish();
  });

  test("exports as Markdown and JSON only after a verdict", async () => {
    const page = await open(comparison);
    for (const [name, format] of [
      ["Export Markdown", "markdown"],
      ["Export JSON", "json"],
    ] as const) {
      await page.getByRole("button", { name }).click();
      assert.deepEqual(panel.panelMessages.at(-1), { type: "export", id: "c1", format });
    }
    await panel.postToPanel({ type: "job", id: "c1", view: makeRunning() });
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Export Markdown" }).count(), 0);
    finish();
  });

  test("a paused comparison gives the reason and the price of the rest", async () => {
    const page = await open(
      comparison,
      makeRunning({ kind: "paused", reason: "token-cap", detail: plainSentence("") }),
    );
    await page
      .locator(".banner")
      .getByRole("button", { name: "Resume 72 runs · ~2.9M tokens · ~$10.65" })
      .click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "resume", id: "c1" });
    finish();
  });

  test("names no difference that may be none", async () => {
    const share = { value: 0.02, low: -0.1, high: 0.14, level: 0.9 };
    const costShare = { value: -0.2, low: -0.3, high: -0.1, level: 0.9 };
    const result = makeResult({ decision: "undecided", savingShare: share, costShare });
    const page = await open(comparison, makeComparison({ comparison: { result } }));
    await page.getByText("$0.062 more a run (20%)", { exact: true }).waitFor();
    const none = makeResult({ decision: "undecided", savingShare: share, costShare: null });
    await panel.postToPanel({
      type: "job",
      id: "c1",
      view: makeComparison({ comparison: { result: none } }),
    });
    await page.getByText("20% more expensive").waitFor({ state: "detached" });
    assert.equal(await page.locator(".verdict .one").count(), 0);
    const difference = page
      .getByRole("table", { name: "Both sides" })
      .getByRole("row", { name: /^Difference/u });
    assert.equal(await difference.getByRole("cell").last().innerText(), "–");
    finish();
  });

  test("a replay is marked as not measuring a model, and an interval without an end is still drawn", async () => {
    const saving = { value: 4000, low: -1e12, high: 1e12, level: 0.95 };
    const view = makeComparison({
      comparison: { result: makeResult({ driver: "replay", recordedBy: ["script"], saving }), looks: [] },
      change: { ask: { ...ask, driver: "replay", model: null }, recordedBy: ["script"] },
    });
    const page = await open(comparison, view);
    await page.getByText("Demo: replays a recording. It says nothing about a model.").waitFor();
    await page.locator(".forest .whole .whisker").first().waitFor({ state: "attached" });
    assert.doesNotMatch(await page.locator(".forest").first().innerHTML(), /NaN|Infinity/u);
    finish();
  });
});

describe("a panel that starts again, or has nothing to show", { timeout: 240_000 }, () => {
  test("it shows what it showed, and Escape leads back to the list", async () => {
    const page = await open(comparison);
    assert.deepEqual(panel.panelMessages[0], { type: "ready", place: comparison, ask });
    await page.getByRole("heading", { name: "Both sides" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("table", { name: "Experiments" }).waitFor();
    assert.deepEqual(await panel.savedState(), stateOf(home, ask));
    assert.equal(
      await page.evaluate("document.querySelector('purser-experiments').shadowRoot.activeElement?.localName"),
      "h1",
    );
    await page.getByRole("button", { name: "lean.md vs. the shipped prompt" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "look", place: { kind: "job", id: "c3" } });
    finish();
  });

  test("no experiments yet: what will be here, and the way there", async () => {
    const page = await openSilent(home);
    await panel.postToPanel(jobsMessage([]));
    await page.getByRole("heading", { name: "No experiments yet" }).waitFor();
    await page.getByRole("button", { name: "New Experiment…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "look", place: { kind: "form" } });
    finish();
  });

  test("offline, unknown, and another version: each is explained, with a next step", async () => {
    const page = await openSilent(comparison);
    await panel.postToPanel({ type: "offline", message: "The service did not start." });
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "retry" });
    await panel.postToPanel({ type: "job", id: "c1", view: null });
    await page.getByRole("heading", { name: "This experiment no longer exists" }).waitFor();
    await panel.postToPanel({ type: "job", id: "c1", view: makeComparison() });
    await page.getByText("Better", { exact: true }).waitFor();
    await panel.postToPanel({ type: "job", id: "c1", view: { of: "another version" } });
    await page.locator(".banner", { hasText: "different versions" }).waitFor();
    await page.getByText("Better", { exact: true }).waitFor();
    finish();
  });

  test("names of files stay text", async () => {
    const name = "<img src=x onerror=alert(1)>\u202e.md";
    const view = makeComparison({
      comparison: {
        title: plainSentence(name),
        looks,
        result: makeResult({ sentence: compose`${name} saves.` }),
      },
    });
    const page = await open(comparison, view);
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
    assert.equal(await page.locator("img").count(), 0);
    finish();
  });
});
