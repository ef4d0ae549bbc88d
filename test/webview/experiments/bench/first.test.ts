import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JobView } from "../../../../src/engine/jobs/bench-answers.ts";
import type { PanelMessage, Place } from "../../../../src/webview/experiments/experiments-protocol.ts";
import type { PanelPage } from "../../panel-page.ts";
import { startPanel } from "../../start-panel.ts";
import { jobsMessage, makeSummary, makeView } from "./fixtures.ts";
import { experimentsPanel, replyAsHost, stateOf } from "../open-panel.ts";

describe("a benchmark that is compared with nothing", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(experimentsPanel);
  });
  after(() => panel.close());

  const second = makeView();
  const own = { run1: { share: 1, interval: null }, best: { share: 1 } };
  const first: JobView = {
    ...second,
    history: [],
    figures: second.figures.map((side) => ({ ...side, ...own })),
  };
  const open = (view: JobView, place: Place) =>
    panel.open({ reply: replyAsHost({ view }), state: stateOf(place) });

  test("the first of its kind is the baseline: no difference from itself, and no columns for one", async () => {
    const page = await open(first, { kind: "job", id: "b3" });
    await page.getByText("12 of 12 passed · saved as baseline").waitFor();
    const headings = page.getByRole("table", { name: "Results" }).getByRole("columnheader");
    const texts = async () => (await headings.allTextContents()).map((text) => text.trim());
    assert.deepEqual(await texts(), ["Task", "Passed", "Tokens a run"]);
    await open(second, { kind: "job", id: "b3" });
    await page.getByText(/^12 of 12 passed · −\d+% vs\. baseline/u).waitFor();
    assert.deepEqual((await texts()).slice(3), ["Baseline", "Best", "Vs. baseline"]);
  });

  test("the list marks a first bench as the baseline", async () => {
    const page = await open(first, { kind: "home" });
    await panel.postToPanel(jobsMessage([makeSummary(first)]));
    const row = page.getByRole("table", { name: "Experiments" }).getByRole("row").nth(1);
    await row.getByText("Baseline", { exact: true }).waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });
});
