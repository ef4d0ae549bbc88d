import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { comparisonPower } from "../../../../src/engine/compare/run-compare.ts";
import type { JobView } from "../../../../src/engine/jobs/bench-answers.ts";
import type { PanelMessage, Place } from "../../../../src/webview/experiments/experiments-protocol.ts";
import { faultsOf } from "../../faults.ts";
import type { PanelPage } from "../../panel-page.ts";
import { startPanel } from "../../start-panel.ts";
import { experimentsPanel, replyAsHost, stateOf } from "../open-panel.ts";
import { choicesMessage } from "../bench/fixtures.ts";
import { ask, askOfSeveral, makeArms, plan } from "./fixtures.ts";

const home: Place = { kind: "home" };
const planned: Place = { kind: "form" };
const comparison: Place = { kind: "job", id: "c1" };

let panel: PanelPage<PanelMessage>;
before(async () => {
  panel = await startPanel(experimentsPanel);
});
after(() => panel.close());

const open = async (place: Place, view?: JobView) =>
  panel.open({ reply: replyAsHost(view === undefined ? {} : { view }), state: stateOf(place, ask) });
const openSilent = async (place: Place) => panel.open({ state: stateOf(place, askOfSeveral) });
const finish = () => assert.deepEqual(panel.pageErrors, []);

describe("several changes are compared with the same runs", { timeout: 240_000 }, () => {
  test("one row per arm: verdict, state, interval and its part of the cost; a decided one names its basis", async () => {
    const page = await open(comparison, makeArms());
    await page
      .locator(".sentence", {
        hasText: "1 of 3 changes is better: haiku, $0.18 less a run (58%); 1 goes on.",
      })
      .waitFor();
    const table = page.getByRole("table", { name: "Changes" });
    const cells = async (name: RegExp) =>
      await table.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(await cells(/^haiku/u), [
      "Better",
      "Decided after 4 rounds",
      "−0.18",
      "−13,700",
      "−19,200",
      "−8,200",
      "−31%",
      "15 of 16",
      "1.2M",
    ]);
    assert.deepEqual((await cells(/^gpt-5\.5-mini/u)).slice(0, 6), [
      "Undecided",
      "Goes on after 3 rounds",
      "–",
      "−2,100",
      "−8,200",
      "+3,900",
    ]);
    assert.deepEqual((await cells(/^opus/u)).slice(0, 4), [
      "More expensive",
      "Decided after 3 rounds",
      "0.15",
      "+9,800",
    ]);
    await page.getByRole("heading", { name: "opus", exact: true }).waitFor();
    assert.equal(await page.getByRole("heading", { name: "gpt-5.5-mini", exact: true }).count(), 0);
    await page.getByText("Both sides, and differences by task").first().click();
    await page.getByRole("table", { name: "Both sides" }).first().waitFor();
    await page.getByRole("button", { name: "Show Chart: changes" }).click();
    const chart = page.getByRole("img", { name: /^New tokens of a completed run with each change/u });
    assert.match((await chart.getAttribute("aria-label")) ?? "", /opus: \+9,800, from \+4,300 to \+15,100/u);
    assert.deepEqual(await faultsOf(page), []);
    finish();
  });

  test("reads its end aloud, opens a changed run beside an as-is one, and exports the result", async () => {
    const page = await open(comparison, makeArms());
    await page.getByRole("button", { name: "Export Markdown" }).waitFor();
    await panel.postToPanel({ type: "job", id: "c1", view: makeArms({ kind: "done" }) });
    await page.getByText("Given up after 4 rounds").waitFor();
    assert.equal(
      await page.getByRole("status").innerText(),
      "Done. 1 of 3 changes is better: haiku, $0.18 less a run (58%).",
    );
    await page
      .getByRole("button", { name: /^Run 2 of Refuse an order/u })
      .last()
      .click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "look",
      place: {
        kind: "run",
        id: "c1",
        runId: "c1.backend-01.1.2.4",
        beside: { id: "c1", runId: "c1.backend-01.0.2" },
      },
    });
    const list = await open(home, makeArms({ kind: "done" }));
    const row = list.getByRole("table", { name: "Experiments" }).getByRole("row", { name: /^haiku, gpt/u });
    assert.equal(await row.getByRole("cell").nth(1).innerText(), "1 of 3 better");
    finish();
  });

  test("its plan names each change, and their separate costs", async () => {
    const page = await openSilent(planned);
    await panel.postToPanel(choicesMessage());
    const about = { weights: [1, 1, 1, 1], rounds: 12, changes: 3 };
    const power = comparisonPower(about, { ...plan.expected, perRun: 60_000, spread: 0.3 });
    await panel.postToPanel({ type: "plan", ask: askOfSeveral, plan: { ...plan, power }, problem: null });
    await page.getByText("haiku, gpt-5.5-mini, opus vs. sonnet").waitFor();
    await page.getByText("Each change stops as soon as its result is clear.").waitFor();
    assert.equal(await page.getByLabel("Further models").inputValue(), "gpt-5.5-mini, opus");
    const table = page.getByRole("table", { name: "Chance to decide by budget" });
    assert.deepEqual(
      (await table.getByRole("columnheader").allTextContents()).map((text) => text.trim()),
      ["Tokens a change", "Saves 5%", "Saves 10%", "Saves 20%", "Alone"],
    );
    await page.getByText(/with as-is runs of its own it is/u).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    finish();
  });
});
