import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import type { PanelMessage } from "../../../src/webview/bench/bench-protocol.ts";
import { ask as compareAsk } from "../compare/fixtures.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeSummary, makeView } from "./fixtures.ts";
import { benchPanel, replyAsHost } from "./open-panel.ts";

describe("a benchmark that is compared with nothing", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(benchPanel);
  });
  after(() => panel.close());

  const second = makeView();
  const own = { run1: { share: 1, interval: null }, best: { share: 1 } };
  const first: JobView = {
    ...second,
    history: [],
    figures: second.figures.map((side) => ({ ...side, ...own })),
  };
  const open = (view: JobView, place: object) =>
    panel.open({ reply: replyAsHost({ view }), state: { place, ask: null, scroll: 0 } });

  test("the first of its kind is the baseline: no difference from itself, and no columns for one", async () => {
    const page = await open(first, { kind: "bench", id: "b3" });
    await page.getByText("12 of 12 passed · saved as baseline").waitFor();
    const headings = page.getByRole("table", { name: "Results" }).getByRole("columnheader");
    const texts = async () => (await headings.allTextContents()).map((text) => text.trim());
    assert.deepEqual(await texts(), ["Task", "Passed", "Tokens a run"]);
    await open(second, { kind: "bench", id: "b3" });
    await page.getByText(/^12 of 12 passed · −\d+% vs\. baseline/u).waitFor();
    assert.deepEqual((await texts()).slice(3), ["Baseline", "Best", "Vs. baseline"]);
  });

  test("the list marks a first bench as the baseline", async () => {
    const page = await open(first, { kind: "home" });
    await panel.postToPanel({ type: "jobs", jobs: [makeSummary(first)] });
    const row = page.getByRole("table", { name: "Past benchmarks" }).getByRole("row").nth(1);
    await row.getByText("Baseline", { exact: true }).waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("a run of a comparison leads back to the comparison, by the button and by Escape", async () => {
    const [run] = first.runs;
    const place = { kind: "run", id: "b3", runId: run?.id, beside: null };
    const page = await open({ ...first, ask: compareAsk }, place);
    await page.getByRole("button", { name: "Comparison", exact: true }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openComparison", id: "b3" });
    const before = panel.panelMessages.length;
    await page.keyboard.press("Escape");
    assert.deepEqual(panel.panelMessages.slice(before), [{ type: "openComparison", id: "b3" }]);
  });
});
