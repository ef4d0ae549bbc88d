import { compose, plainSentence } from "../../../src/engine/base/language.ts";
import { after, before, describe, test } from "node:test";
import { assert } from "../../engine/support/assert-texts.ts";
import { comparisonPower } from "../../../src/engine/compare/run-compare.ts";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import { firstState, type PanelMessage, type Place } from "../../../src/webview/compare/compare-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelOptions, ThemeName, PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { comparePanel, replyAsHost } from "./open-panel.ts";
import {
  ask,
  looks,
  makeArms,
  makeComparison,
  makeResult,
  makeRunning,
  plan,
  regression,
} from "./fixtures.ts";

const home: Place = { kind: "home" };
const planned: Place = { kind: "plan" };
const comparison: Place = { kind: "comparison", id: "c1" };

let panel: PanelPage<PanelMessage>;
before(async () => {
  panel = await startPanel(comparePanel);
});
after(() => panel.close());

const open = async (place: Place, view?: JobView, more: PanelOptions<PanelMessage> = {}) =>
  panel.open({ reply: replyAsHost(view), state: { place, ask, scroll: 0 }, ...more });
const openSilent = async (place: Place) => panel.open({ state: { ...firstState, place, ask } });
const finish = () => assert.deepEqual(panel.pageErrors, []);

describe("a comparison is planned before anything is spent", { timeout: 240_000 }, () => {
  test("the button names the price of the request, and only the button starts one", async () => {
    const page = await open(planned);
    await page.getByRole("heading", { level: 1, name: "haiku vs. sonnet" }).waitFor();
    assert.deepEqual(
      panel.panelMessages.map(({ type }) => type),
      ["ready"],
    );
    await page.getByRole("button", { name: "Run 96 runs · ~3.9M tokens · ~$14.20" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "start", ask });
    finish();
  });

  test("the chance of a decision by budget is below the price, in a chart and a table", async () => {
    const page = await openSilent(planned);
    const about = { weights: [1, 1, 1, 1], rounds: 12, changes: 1 };
    const power = comparisonPower(about, { ...plan.expected, perRun: 60_000, spread: 0.3 });
    await panel.postToPanel({ type: "plan", ask, plan: { ...plan, power }, problem: null });
    await page.getByRole("heading", { name: "What It Would Decide" }).waitFor();
    await page.getByText(/^(?:Measure now|Measuring now says little): a true saving of 10%/u).waitFor();
    const table = page.getByRole("table", { name: "Chance to decide by budget" });
    assert.deepEqual(
      (await table.getByRole("columnheader").allTextContents()).map((text) => text.trim()),
      ["Tokens", "Saves 5%", "Saves 10%", "Saves 20%"],
    );
    const chart = page.getByRole("slider", { name: /^Chance to decide, by new tokens/u });
    await chart.focus();
    await page.keyboard.press("End");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /tokens · saves 5%: /u);
    assert.equal(await page.getByRole("table", { name: "A trial on real work" }).count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    finish();
  });

  test("cannot be started while its agent cannot run, and gives the reason with a next step", async () => {
    const page = await openSilent(planned);
    const unready = plainSentence("Claude Code was not found on this machine");
    await panel.postToPanel({ type: "plan", ask, plan: { ...plan, unready }, problem: null });
    const reason = page.locator(".banner", { hasText: "cannot run here: Claude Code was not found" });
    await reason.waitFor();
    assert.ok(await page.getByRole("button", { name: /^Run \d+ runs/u }).isDisabled());
    await reason.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "plan", ask });
    finish();
  });

  test("another number of rounds or another cap is another price, and the old one cannot be pressed", async () => {
    const page = await openSilent(planned);
    await panel.postToPanel({ type: "plan", ask, plan, problem: null });
    await page.getByLabel("Rounds at most").fill("5");
    await page.getByLabel("Rounds at most").press("Tab");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "plan", ask: { ...ask, rounds: 5 } });
    const button = page.getByRole("button", { name: "Run", exact: true });
    assert.ok(await button.isDisabled());
    await page.getByLabel("Limit (new tokens)").fill("500000");
    await page.getByLabel("Limit (new tokens)").press("Tab");
    const capped = { ...ask, rounds: 5, tokenCap: 500_000 };
    assert.deepEqual(panel.panelMessages.at(-1), { type: "plan", ask: capped });
    await panel.postToPanel({
      type: "plan",
      ask: capped,
      plan: { ...plan, runs: 40, tokens: 500_000, install: { packages: 213 } },
      problem: null,
    });
    await page.locator(".banner", { hasText: "npm downloads up to 213 packages" }).waitFor();
    await page.getByRole("button", { name: /^Run 40 runs · ~500k/u }).waitFor();
    assert.deepEqual(await panel.savedState(), { place: planned, ask: capped, scroll: 0 });
    finish();
  });

  test("gives the reason why planning failed, aloud too, with a next step, and describes a setting's effect", async () => {
    const page = await openSilent(planned);
    const change = {
      kind: "setting",
      name: ".mcp.json",
      files: [{ path: ".mcp.json", text: "{}" }],
    } as const;
    const other = { ...ask, change: { ...change, files: [...change.files] } };
    await panel.postToPanel({ type: "showPlan", ask: other });
    await panel.postToPanel({
      type: "plan",
      ask: other,
      plan: null,
      problem: "Nothing was recorded with it.",
    });
    await page.locator(".banner", { hasText: "Nothing was recorded with it." }).waitFor();
    await page.getByText("The MCP servers of this file are started.").waitFor();
    assert.equal(await page.getByRole("status").innerText(), "Nothing was recorded with it.");
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "plan", ask: other });
    finish();
  });
});

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
    await panel.postToPanel({ type: "comparison", id: "c1", view: makeComparison() });
    await page.getByText("Better", { exact: true }).waitFor();
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

  test("shows both sides beside each other, without unknown costs, and without comparing costs", async () => {
    const page = await open(comparison);
    const table = page.getByRole("table", { name: "Both sides" });
    await table.waitFor();
    const cells = async (name: RegExp) =>
      await table.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(await cells(/^haiku/u), ["30,500", "214,000", "15 of 16", "15.9", "61", "–"]);
    assert.deepEqual(await cells(/^Difference/u), ["−31%", "−19%", "−6 points", "+12%", "−36%", ""]);
    finish();
  });

  test("names the broken task in the chart, and claims no saving in the list", async () => {
    const page = await open(comparison, makeComparison({ comparison: { result: regression } }));
    await page.getByText("Fails what passed").waitFor();
    await page.locator(".forest .flag", { hasText: "fails now" }).waitFor();
    await page.getByText("no round that both sides completed").waitFor();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    const row = page.getByRole("table", { name: "Comparisons" }).getByRole("row", { name: /^lean\.md/u });
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
      type: "openRun",
      id: "c1",
      runId: "c1.backend-01.0.2",
      beside: "c1.backend-01.1.2",
    });
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
    await panel.postToPanel({ type: "comparison", id: "c1", view: makeRunning() });
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
    await page.getByRole("table", { name: "Comparisons" }).waitFor();
    assert.deepEqual(await panel.savedState(), { place: home, ask, scroll: 0 });
    assert.equal(
      await page.evaluate("document.querySelector('purser-compare').shadowRoot.activeElement?.localName"),
      "h1",
    );
    await page.getByRole("button", { name: "lean.md vs. the shipped prompt" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "look", place: { kind: "comparison", id: "c3" } });
    finish();
  });

  test("nothing compared yet: what will be here, and the way there", async () => {
    const page = await openSilent(home);
    await panel.postToPanel({ type: "jobs", jobs: [] });
    await page.getByRole("heading", { name: "No comparisons yet" }).waitFor();
    await page.getByRole("button", { name: "New Comparison…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "pick" });
    finish();
  });

  test("offline, unknown, and another version: each is explained, with a next step", async () => {
    const page = await openSilent(comparison);
    await panel.postToPanel({ type: "offline", message: "The service did not start." });
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "retry" });
    await panel.postToPanel({ type: "comparison", id: "c1", view: null });
    await page.getByRole("heading", { name: "There is no such comparison any more" }).waitFor();
    await panel.postToPanel({ type: "comparison", id: "c1", view: makeComparison() });
    await page.getByText("Better", { exact: true }).waitFor();
    await panel.postToPanel({ type: "comparison", id: "c1", view: { of: "another version" } });
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

describe("everybody can read it", { timeout: 240_000 }, () => {
  const faults = (rules?: readonly string[]) => faultsOf(panel.page, rules);
  const pages = [
    { place: home, view: makeComparison(), heading: "Comparisons" },
    { place: planned, view: makeComparison(), heading: "What is compared" },
    { place: comparison, view: makeRunning(), heading: "Round by round" },
    { place: comparison, view: makeArms(), heading: "Changes" },
    {
      place: comparison,
      view: makeComparison({ comparison: { result: regression } }),
      heading: "Both sides",
    },
  ] as const;

  const look = async (theme: ThemeName, rules?: readonly string[]) => {
    for (const { place, view, heading } of pages) {
      const page = await open(place, view, { theme });
      await page.getByRole("heading", { name: heading }).first().waitFor();
      assert.deepEqual(await faults(rules), [], heading);
    }
  };

  test("by every rule, on every page, and where nothing was compared yet", async () => {
    await look("Dark Modern");
    await openSilent(home);
    await panel.postToPanel({ type: "jobs", jobs: [] });
    assert.deepEqual(await faults(), []);
  });

  for (const theme of otherThemes)
    test(`${theme}: text has enough contrast`, () => look(theme, ["color-contrast"]));

  test("nothing is out of reach at 400 pixels, or at 200 % of the usual size", async () => {
    for (const width of [1000, 400, 320])
      for (const { place, view, heading } of pages) {
        const page = await open(place, view, { size: { width, height: 700 } });
        await page.getByRole("heading", { name: heading }).first().waitFor();
        const fits = await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth");
        assert.equal(fits, true, `${heading}, ${width} pixels`);
      }
  });
});
