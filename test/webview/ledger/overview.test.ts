import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { firstState } from "../../../src/webview/ledger/ledger-protocol.ts";
import { waitFor } from "../../engine/support/wait-for.ts";
import { makeOverview, overviewMessage } from "./fixtures.ts";
import { makeSession, sessionMessage } from "./session-fixture.ts";
import { columnOf } from "../column-of.ts";
import { ledgerPanel, type PanelOptions, type PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";

const overview = makeOverview(30);

describe("the ledger's first page", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());
  const open = async (more: Partial<PanelOptions> = {}) => {
    await panel.open({
      reply: (message) => {
        if (message.type === "ready" || message.type === "ask")
          return overviewMessage(overview, { question: message.question });
        return message.type === "openSession" ? sessionMessage(makeSession(message.id)) : undefined;
      },
      ...more,
    });
    await panel.page.getByRole("heading", { name: "Breakdown" }).waitFor();
    return panel.page;
  };
  const finish = () => {
    assert.deepEqual(panel.pageErrors, []);
  };

  test("requests what it shows first, and shows the answer", async () => {
    const page = await open();
    assert.deepEqual(panel.panelMessages, [
      { type: "ready", question: firstState.question, sessionId: null },
    ]);
    await page.getByText("32,639,148").first().waitFor();
    await page.getByText("As of 14:31").waitFor();
    await page.getByRole("heading", { name: "Plan limits" }).waitFor();
    await page.getByText("A run took 1,243,118 new tokens, 4.0 times the usual 310,400").waitFor();
    await page.getByText("The 48 most recent of 182").waitFor();
    const row = page.getByRole("table", { name: "By project" }).getByRole("row").nth(1);
    assert.match(await row.innerText(), /work\/harbor\s+44%\s+12,925,100\s+232\.65\s+3,077/u);
    finish();
  });

  test("each filter sends a new request, and the choice is remembered", async () => {
    const page = await open();
    await page.getByRole("button", { name: "90 d" }).click();
    await page.getByRole("combobox", { name: "Project" }).selectOption({ label: "berth-map" });
    await page.getByRole("combobox", { name: "Agent" }).selectOption({ label: "Codex" });
    const asked = panel.panelMessages.at(-1);
    const question = {
      range: { kind: "last", days: 90 },
      project: "/home/mara/work/berth-map",
      program: "codex",
    };
    assert.deepEqual(asked, { type: "ask", question });
    assert.equal(await page.getByRole("button", { name: "90 d" }).getAttribute("aria-pressed"), "true");
    assert.deepEqual(await panel.savedState(), { ...firstState, question });
    await page.getByRole("button", { name: "Custom" }).click();
    await page.getByLabel("From", { exact: true }).fill("2026-11-01");
    const custom = panel.panelMessages.at(-1);
    assert.deepEqual(custom?.type === "ask" && custom.question.range, {
      kind: "between",
      since: "2026-11-01",
      until: "2026-11-21",
    });
    finish();
  });

  test("a project and an agent of the breakdown filter at once", async () => {
    const page = await open();
    await page.getByRole("button", { name: "north/harbor" }).first().click();
    await page.getByRole("tab", { name: "Agent", exact: true }).click();
    await page.getByRole("table", { name: "By agent" }).getByRole("button", { name: "Gemini CLI" }).click();
    const asked = panel.panelMessages.at(-1);
    assert.deepEqual(asked?.type === "ask" && [asked.question.project, asked.question.program], [
      "/home/mara/work/clients/north/harbor",
      "gemini",
    ]);
    finish();
  });

  test("an agent's row has a line over the days of the chart, in words too", async () => {
    const page = await open();
    await page.getByRole("tab", { name: "Agent", exact: true }).click();
    const table = page.getByRole("table", { name: "By agent" });
    const line = table.getByRole("row", { name: /Claude Code/u }).getByRole("img");
    const days = ((await line.locator("title").textContent()) ?? "").split("; ");
    assert.match(days[0] ?? "", /^Oct 23: [\d,]+$/u);
    assert.equal((await line.locator(".line").getAttribute("d"))?.split("L").length, 30);
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    await table
      .getByRole("img", { name: /^Oct 23: \$/u })
      .first()
      .waitFor();
    await page.getByRole("tab", { name: "Branch" }).click();
    assert.equal(await page.getByRole("table", { name: "By branch" }).locator(".spark").count(), 0);
    finish();
  });

  test("tokens or cost: the number, the chart and the order follow", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    await page.getByRole("heading", { name: "Cost at list prices by day" }).waitFor();
    await page.locator(".one").getByText("$579.71").waitFor();
    await page.getByRole("tab", { name: "Model" }).click();
    const rows = await page.getByRole("table", { name: "By model" }).getByRole("row").allInnerTexts();
    assert.match(rows.at(-1) ?? "", /local-coder-32b[^]*–/u);
    finish();
  });

  test("a click or Enter on a bar shows only its day, and a chip takes that back", async () => {
    const page = await open();
    const chart = page.getByRole("slider");
    const asked = () => panel.panelMessages.findLast(({ type }) => type === "ask");
    const only = (day: string) => ({
      type: "ask",
      question: { ...firstState.question, range: { kind: "between", since: day, until: day } },
    });
    await chart.click({ position: { x: 60, y: 100 } });
    assert.deepEqual(asked(), only("2026-10-23"));
    const chip = page.getByRole("button", { name: "Stop showing only Oct 23, 2026" });
    assert.equal((await chip.innerText()).trim(), "Oct 23, 2026");
    assert.equal(await page.getByLabel("From", { exact: true }).count(), 0);
    await chip.click();
    assert.deepEqual(asked(), { type: "ask", question: firstState.question });
    await chip.waitFor({ state: "detached" });
    await chart.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    assert.deepEqual(asked(), only("2026-11-21"));
    await page.getByRole("button", { name: "7 d" }).click();
    assert.equal(await page.locator(".chip").count(), 0, "another range takes its place");
    finish();
  });

  test("one day is drawn in hours, whose bars lead nowhere", async () => {
    const day = "2026-11-21";
    const [first] = overview.days;
    const hours = [9, 14].map((hour) => ({ hour, models: first?.models ?? [] }));
    const page = await open({
      reply: () => overviewMessage({ ...overview, hours }, { since: day, until: day }),
    });
    await page.getByRole("heading", { name: "New tokens by hour" }).waitFor();
    const chart = page.getByRole("slider");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /^Nov 21, 2026: [\d,]+, /u);
    assert.equal(await chart.getAttribute("aria-valuemax"), "24");
    await chart.focus();
    await page.keyboard.press("Home");
    assert.equal(await chart.getAttribute("aria-valuetext"), "Nov 21, 00:00: 0");
    await page.keyboard.press("Enter");
    await chart.click({ position: { x: 60, y: 100 } });
    assert.equal(panel.panelMessages.filter(({ type }) => type === "ask").length, 0);
    await page.getByRole("tab", { name: "Agent", exact: true }).click();
    assert.equal(await page.locator(".spark").count(), 0, "a line needs two days");
    finish();
  });

  test("costs are split by kind, and the days before stand beside", async () => {
    const { totals } = overview;
    const times = (value: number, factor: number) => Math.round(value * factor);
    const usage = { ...totals.usage, cacheCreation5m: times(totals.usage.cacheCreation5m, 0.6) };
    const previous = {
      since: "2026-09-23",
      until: "2026-10-22",
      totals: { ...totals, usage, usd: (totals.usd ?? 0) / 0.98 },
    };
    const page = await open({ reply: () => overviewMessage(overview, { previous }) });
    const compared = page.locator(".totals .number [title]");
    assert.equal(await compared.innerText(), "1.4× the 30 days before");
    assert.match((await compared.getAttribute("title")) ?? "", /^Sep 23, 2026 – Oct 22, 2026: [\d,]+$/u);
    await page.getByRole("button", { name: "Cost", exact: true }).click();
    assert.equal(await compared.innerText(), "about as much as the 30 days before");
    const cards = await page.locator(".kinds > div").allInnerTexts();
    assert.deepEqual(
      cards.map((card) => card.split(/\s+/u).join(" ")),
      ["Input ~$11.59 2%", "Cache writes ~$231.88 40%", "Output ~$162.32 28%", "Cache reads ~$173.91 30%"],
    );
    finish();
  });

  test("tabs and charts are walked with the arrow keys", async () => {
    const page = await open();
    await page.getByRole("tab", { name: "Project" }).focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.getByRole("tab", { name: "MCP Server" }).getAttribute("aria-selected"), "true");
    await page.getByRole("table", { name: "By MCP server" }).getByText("~").first().waitFor();
    await page.keyboard.press("Home");
    assert.equal(await page.getByRole("tab", { name: "Project" }).getAttribute("aria-selected"), "true");
    const chart = page.getByRole("slider");
    await chart.focus();
    await page.keyboard.press("Home");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /^Oct 23, 2026: [\d,]+, claude-sonnet/u);
    await page.keyboard.press("ArrowRight");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /^Oct 24, 2026/u);
    assert.equal(await chart.getAttribute("aria-valuenow"), "2");
    await page.keyboard.press("Escape");
    assert.match((await chart.getAttribute("aria-valuetext")) ?? "", /^Oct 23, 2026 – Nov 21, 2026/u);
    finish();
  });

  test("a chart has its table, of the same figures", async () => {
    const page = await open();
    await page.getByRole("button", { name: /^Show Table/u }).click();
    const table = page.getByRole("table", { name: "New tokens by day and model" });
    await table.getByRole("button", { name: "Day" }).click();
    assert.match(await table.getByRole("row").nth(1).innerText(), /^Oct 23, 2026/u);
    await page.getByRole("button", { name: /^Show Chart/u }).click();
    await page.getByRole("slider").waitFor();
    finish();
  });

  test("the headings sort a table, and a button shows the rest", async () => {
    const page = await open();
    const table = page.getByRole("table", { name: "Sessions" });
    assert.equal(await table.getByRole("row").count(), 13);
    await page.getByRole("button", { name: "Show all 48" }).click();
    assert.equal(await table.getByRole("row").count(), 49);
    await table.getByRole("button", { name: "Cost (USD)" }).click();
    const costs = (await columnOf(table, "Cost (USD)")).map(Number);
    assert.ok(costs.length > 1 && costs.every(Number.isFinite));
    assert.deepEqual(
      costs,
      costs.toSorted((one, other) => other - one),
    );
    assert.equal(
      await table.getByRole("columnheader", { name: "Cost (USD)" }).getAttribute("aria-sort"),
      "descending",
    );
    finish();
  });

  test("asks the host to export", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("button", { name: "Export JSON" }).click();
    assert.deepEqual(panel.panelMessages.slice(1), [
      { type: "export", what: "overview", format: "csv" },
      { type: "export", what: "overview", format: "json" },
    ]);
    finish();
  });

  test("an update changes the figures and leaves focus, place and what is unfolded", async () => {
    const page = await open();
    await page.getByRole("tab", { name: "Tool" }).click();
    await page.getByRole("button", { name: "Show all 48" }).click();
    const session = page
      .getByRole("table", { name: "Sessions" })
      .getByRole("button", { name: /^notes · feature\/winter-time · Nov \d+, \d\d:\d\d$/u })
      .nth(1);
    const name = await session.innerText();
    await session.focus();
    const place = await page.evaluate("window.scrollY");
    assert.ok(Number(place) > 0);
    const totals = { ...overview.totals, responses: 7777 };
    await panel.postToPanel(overviewMessage({ ...overview, totals }));
    await page.getByText("7,777 responses").waitFor();
    assert.equal(await page.locator("button:focus").innerText(), name);
    assert.equal(await page.evaluate("window.scrollY"), place);
    assert.equal(await page.getByRole("tab", { name: "Tool" }).getAttribute("aria-selected"), "true");
    assert.equal(await page.getByRole("table", { name: "Sessions" }).getByRole("row").count(), 49);
    finish();
  });

  test("begins with the last filter, count, breakdown and position", async () => {
    const question = { range: { kind: "last", days: 7 }, project: null, program: "codex" } as const;
    const state = { question, sessionId: null, metric: "cost", breakdown: "skill", wider: null, scroll: 250 };
    const page = await open({ state });
    assert.deepEqual(panel.panelMessages[0], { type: "ready", question, sessionId: null });
    assert.equal(await page.getByRole("tab", { name: "Skill" }).getAttribute("aria-selected"), "true");
    assert.equal(
      await page.getByRole("button", { name: "Cost", exact: true }).getAttribute("aria-pressed"),
      "true",
    );
    await waitFor(async () => (await page.evaluate("window.scrollY")) === 250);
    finish();
  });

  test("ignores a stored state that it cannot read", async () => {
    await open({ state: { question: "all of it" } });
    assert.deepEqual(panel.panelMessages, [
      { type: "ready", question: firstState.question, sessionId: null },
    ]);
    finish();
  });
});
