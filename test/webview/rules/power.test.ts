import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { planPower } from "../../../src/engine/verdict/power/power.ts";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { plan } from "../experiments/bench/fixtures.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeRules, offerMessage, rulesMessage, selectAsk } from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

const power = planPower({
  kind: "candidate",
  rules: 2,
  canShare: true,
  expected: { ...plan.expected, perRun: 60_000, spread: 0.3 },
  weights: [1, 1, 1, 1],
  bar: 0,
  rounds: null,
  roundsOfSet: 10,
  sessions: { count: 280, days: 28, noise: null },
});

describe("the expected outcome of measuring", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  const open = async (
    options: Parameters<typeof panel.open>[0] = {},
    shown: typeof plan = { ...plan, power },
  ) => {
    const page = await panel.open(options);
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("button", { name: "Measure Rules…" }).first().click();
    await panel.postToPanel(offerMessage());
    await page.getByRole("heading", { name: "What It Would Cost" }).waitFor();
    await panel.postToPanel({ type: "plan", ask: selectAsk, plan: shown, problem: null });
    await page.getByRole("button", { name: /^Measure 2 Rules ·/u }).waitFor();
    return page;
  };

  test("shows an advice, the chance by budget, and the days of a trial below the price", async () => {
    const page = await open();
    await page.getByRole("heading", { name: "What It Would Decide" }).waitFor();
    await page
      .getByText(
        /^\s*(?:Measure now|Measuring now says little): a true saving of 10% is shown with a chance of/u,
      )
      .waitFor();
    await page.getByText("A trial on real work would take about 37 days for 10%").waitFor();
    const budgets = page.getByRole("table", { name: "Chance to decide by budget" });
    const headings = await budgets.getByRole("columnheader").allTextContents();
    assert.deepEqual(
      headings.map((text) => text.trim()),
      ["Tokens a rule", "Saves 5%", "Saves 10%", "Saves 20%", "Alone", "2 more"],
    );
    const curve = power.curves.find(({ together }) => together === 2);
    const points = [...(curve?.points.filter(({ rounds }) => rounds < curve.most.rounds) ?? []), curve?.most];
    assert.equal(await budgets.getByRole("row").count(), 1 + points.length);
    const last = await budgets.getByRole("row").last().getByRole("cell").allTextContents();
    const chances = curve?.most.chances.map((chance) => `${Math.round(100 * chance)}%`) ?? [];
    assert.deepEqual(
      last.slice(0, 3).map((text) => text.trim()),
      chances,
    );
    const trial = page.getByRole("table", { name: "A trial on real work" });
    assert.deepEqual(
      (await trial.getByRole("row").nth(2).getByRole("cell").allTextContents()).map((text) => text.trim()),
      ["361", "37"],
    );
    await page.getByText(/confirmed as a whole, in at most 10\s+rounds: 4\.8M tokens more/u).waitFor();
    await page.getByText("Sessions of real work differ by about 40% (estimated:").waitFor();
    await page
      .getByText(/measured: your last 24 runs of these tasks/u)
      .last()
      .waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("the chart describes each budget in words, reached by keys", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Show Chart: chance by budget" }).click();
    const chart = page.getByRole("slider", { name: /Chance to decide/u });
    await chart.focus();
    // An axis of chances ends at 100%.
    const ticks = await page.locator("purser-dot-chart svg text[text-anchor=end]").allTextContents();
    assert.deepEqual(ticks, ["0%", "50%", "100%"]);
    await page.keyboard.press("Home");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /^500k tokens a rule · saves 5%: /u);
    await page.keyboard.press("End");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /^4\.1M tokens a rule · .*saves 20%: /u);
  });

  test("a plan without it shows nothing", async () => {
    const page = await open({}, plan);
    assert.equal(await page.getByRole("heading", { name: "What It Would Decide" }).count(), 0);
  });

  for (const theme of [undefined, ...otherThemes])
    test(`${theme ?? "the usual theme"}: an accessibility check finds nothing, also in a narrow window`, async () => {
      const page = await open(theme === undefined ? { size: { width: 400, height: 700 } } : { theme });
      await page.getByRole("heading", { name: "What It Would Decide" }).waitFor();
      assert.deepEqual(await faultsOf(page), []);
      const isWithin = await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth");
      assert.equal(isWithin, true);
    });
});
