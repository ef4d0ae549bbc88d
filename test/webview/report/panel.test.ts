import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/report/report-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { emptyReport, makeAgent, makeReport, reportMessage } from "./fixtures.ts";
import { statusPanel } from "./open-panel.ts";

describe("the Status panel", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(statusPanel);
  });
  after(() => panel.close());

  const open = async (options: Parameters<typeof panel.open>[0] = {}, report = makeReport()) => {
    const page = await panel.open(options);
    await panel.postToPanel(reportMessage(report));
    await page.getByRole("heading", { name: "Golden suites" }).waitFor();
    return page;
  };
  const faults = (rules?: readonly string[]) => faultsOf(panel.page, rules);

  test("the same figures as the command's: work, agents, suites vs. their baseline, projects", async () => {
    const page = await open();
    assert.deepEqual(panel.panelMessages, [{ type: "ready", project: null }]);
    const main = await page.getByRole("main").innerText();
    assert.match(main, /3,482,900\s+new tokens of real work in seven days/u);
    assert.match(main, /Benchmarks took 611,000 in the same time, 18% of it\./u);
    const row = (table: string, name: string) =>
      page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: name }).first().innerText();
    assert.match(await row("Agents", "test-writer"), /61\s+48,300\s+66,100\s+2\s+3\s+1\s+71\s+7,100/u);
    assert.match(await row("Golden suites", "sonnet"), /4\s+103,075\s+71,725\s+75,438\s+−27%/u);
    assert.match(await row("Real work by project", "tides/harbor"), /24%\s+6,310,500\s+80/u);
    assert.match(await page.getByText(/reports of measured rules/u).innerText(), /^7 reports/u);
  });

  test("lists each active rule with its saving and source, and costly runs without a rule", async () => {
    const page = await open();
    const row = (table: string, name: string) =>
      page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: name }).first().innerText();
    assert.match(
      await row("Active rules", "Read a file once"),
      /test-writer\s+5,900\s+41\s+Found in a costly run/u,
    );
    assert.match(
      await row("Active rules", "List a folder"),
      /test-writer\s+not measured\s+30\s+Written by hand/u,
    );
    await page.getByRole("button", { name: /^Read a file once/u }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "review", id: "r0000000001" });
    assert.match(await row("Agents", "reviewer"), /reviewer \(Codex\)/u);
    assert.match(await row("Questions by agent", "main"), /12\s+7\s+2/u);
    const main = await page.getByRole("main").innerText();
    assert.match(main, /410,000 new tokens, usually at most 230,100/u);
    assert.match(main, /The main conversation has no memory that rules go into/u);
  });

  test("requests runs and learning of one project, and remembers the project", async () => {
    const page = await open();
    await page.getByRole("combobox", { name: "Project" }).selectOption({ index: 2 });
    const project = "/home/mara/tides/harbor";
    assert.deepEqual(panel.panelMessages.at(-1), { type: "narrow", project });
    assert.deepEqual(await panel.savedState(), { scroll: 0, tables: [], project });
    await panel.postToPanel(reportMessage(makeReport({ project })));
    assert.match(
      await page.getByRole("combobox", { name: "Project" }).locator("option:checked").innerText(),
      /tides/u,
    );
    await open({ state: await panel.savedState() }, makeReport({ project }));
    assert.deepEqual(panel.panelMessages[0], { type: "ready", project });
    await page.getByRole("combobox", { name: "Project" }).selectOption({ index: 0 });
    assert.deepEqual(panel.panelMessages.at(-1), { type: "narrow", project: null });
  });

  test("learning is a chart that is walked over by keys, and the same as a table, which is remembered", async () => {
    const page = await open();
    // Agents with a memory that never changed have no slider.
    assert.equal(await page.getByRole("slider").count(), 1);
    const chart = page.getByRole("slider", { name: /^Learning of test-writer/u });
    await chart.focus();
    await page.keyboard.press("Home");
    assert.equal(
      await chart.getAttribute("aria-valuetext"),
      "No memory yet · 31 runs: 61,400, Median 61,400",
    );
    await page.keyboard.press("ArrowRight");
    assert.match(
      (await chart.getAttribute("aria-valuetext")) ?? "",
      /^Version 1 · .* · 1 rule · 9 runs: 55,200/u,
    );
    await page.getByRole("button", { name: "Show Table: learning of test-writer" }).click();
    const table = page.getByRole("table", { name: /^Learning of test-writer/u });
    assert.match(
      await table.getByRole("row").last().innerText(),
      /^Version 3\s.*\s2\s+14\s+41,200\s+33,000\s+52,000\s+43,900$/u,
    );
    assert.partialDeepStrictEqual(await panel.savedState(), { tables: ["test-writer"], project: null });
    await open({ state: await panel.savedState() });
    await page.getByRole("table", { name: /^Learning of test-writer/u }).waitFor();
  });

  test("an evicted rule and the button at the top open Rule Review", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Read each file at most twice." }).press("Enter");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "review", id: "r0000000005" });
    await page.getByText("It costs 310 tokens per completed run.").waitFor();
    await page.getByRole("button", { name: "Review Rules" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "review", id: null });
    await page.getByRole("button", { name: "Export JSON" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "export" });
  });

  test("gives the reason for a rule's removal in the user's language", async () => {
    const messages = { "rejected: {why}": "abgelehnt: {why}" };
    const page = await open({ translation: { language: "de", messages } });
    await page.getByText("abgelehnt: too vague").waitFor();
  });

  test("much measuring is warned of, little is not", async () => {
    const page = await open();
    const warning = page.locator(".banner", { hasText: "Measuring takes 18% of what real work takes" });
    await warning.getByRole("button", { name: "Open Benchmark" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openBenchmark" });
    await panel.postToPanel(
      reportMessage(makeReport({ metaCost: { realWork: 1000, benches: 100, share: 0.1 } })),
    );
    await page.getByText("in the same time, 10% of it.").waitFor();
    assert.equal(await warning.count(), 0);
    await panel.postToPanel(
      reportMessage(makeReport({ metaCost: { realWork: 0, benches: 100, share: null } })),
    );
    await page.getByText("there was no real work").waitFor();
  });

  test("empty sections explain what will appear", async () => {
    const agent = makeAgent({ learned: [], suites: [] });
    const bare = { ...emptyReport(), agents: [agent] };
    const page = await open({}, bare);
    for (const words of [
      "No golden task was completed yet",
      "No run has begun with a memory",
      "No run of real work",
      "No rule was removed.",
      "No message waits for an answer.",
    ])
      assert.equal(await page.getByText(words).count(), 1, words);
    await page.getByRole("button", { name: "Open Benchmark" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openBenchmark" });
    await panel.open();
    await panel.postToPanel(reportMessage(emptyReport()));
    await page.getByRole("button", { name: "Get Started" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "getStarted" });
  });

  test("waiting, offline and error states explain the next step, and keep known content", async () => {
    const page = await panel.open();
    await page.locator(".skeleton").waitFor({ state: "attached" });
    assert.equal(await page.getByRole("main").getAttribute("aria-busy"), "true");
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    await page.getByRole("button", { name: "Show Log" }).click();
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(panel.panelMessages.slice(-2), [{ type: "showLog" }, { type: "retry" }]);
    await panel.postToPanel(reportMessage(makeReport()));
    await page
      .getByRole("status")
      .filter({ hasText: "Report of 3 agents shown." })
      .waitFor({ state: "attached" });
    await panel.postToPanel({ type: "error", message: "The report could not be made: locked" });
    await page.locator(".banner", { hasText: "locked" }).waitFor();
    assert.equal(await page.getByRole("table", { name: "Agents" }).count(), 1);
    // A message from another version of the extension.
    await panel.postToPanel({ type: "report", report: {} });
    await page.locator(".banner", { hasText: "of different versions" }).waitFor();
  });

  test("shows outside text as text, which cannot reorder the text beside it", async () => {
    const text = "<img src=x onerror=alert(1)> \u202egnp.exe";
    const report = makeReport({
      agents: [makeAgent({ agent: text })],
      projects: [{ project: text, runs: 1, tokens: 1 }],
      evictions: [{ id: "r1", agent: text, text, at: null, why: plainSentence(text) }],
      questions: {
        byAgent: [],
        count: 1,
        newest: [{ id: "q", agent: text, toAgent: text, at: null, body: text }],
      },
    });
    const page = await open({}, report);
    assert.equal(await page.locator("img").count(), 0);
    assert.doesNotMatch(await page.getByRole("main").innerText(), /\u202e/u);
    await page.getByRole("button", { name: "<img src=x onerror=alert(1)> gnp.exe", exact: true }).waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("axe finds nothing: charts, tables, nothing at all, offline", async () => {
    const page = await open();
    assert.deepEqual(await faults(), []);
    await page.getByRole("button", { name: /^Show Table/u }).click();
    assert.deepEqual(await faults(), []);
    await panel.open();
    await panel.postToPanel(reportMessage(emptyReport()));
    await page.getByRole("heading", { name: "Nothing to report yet" }).waitFor();
    assert.deepEqual(await faults(), []);
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await panel.open();
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    assert.deepEqual(await faults(), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  for (const theme of otherThemes)
    test(`${theme}: text has enough contrast`, async () => {
      await open({ theme });
      assert.deepEqual(await faults(["color-contrast"]), []);
    });

  test("nothing is out of reach at 320 pixels", async () => {
    const page = await open({ size: { width: 320, height: 700 } });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
  });
});
