import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/experiments/experiments-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { jobsMessage, makeSummary } from "./bench/fixtures.ts";
import { makeListed, makeRunning } from "./compare/fixtures.ts";
import { experimentsPanel, replyAsHost, stateOf, trial } from "./open-panel.ts";

describe("the list of experiments", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(experimentsPanel);
  });
  after(() => panel.close());

  test("has every kind, running, finished and failed, and each leads on", async () => {
    const page = await panel.open({
      reply: replyAsHost({ view: makeRunning() }),
      state: stateOf({ kind: "home" }),
    });
    const table = page.getByRole("table", { name: "Experiments" });
    await table.waitFor();
    const rows = await table.getByRole("row").allInnerTexts();
    const shown = rows.slice(1).map((row) => row.replaceAll(/\s+/gu, " ").trim());
    assert.match(shown[0] ?? "", /^haiku vs\. sonnet backend Comparison Running – 24 of 96/u);
    assert.match(shown[1] ?? "", /^backend · claude-sonnet-4-6 Benchmark Paused 37,174 5 of 12/u);
    assert.match(shown[2] ?? "", /Benchmark Failed 37,174/u);
    assert.match(shown[3] ?? "", /^lean\.md vs\. the shipped prompt backend Comparison Fails what passed –/u);
    assert.match(
      shown[4] ?? "",
      /^Rules of backend on real work Trial on real work Running, 30% – 12 of 40 sessions/u,
    );
    await table.getByRole("button", { name: "Rules of backend on real work" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openRules", page: "trial", agent: "backend" });
    await table.getByRole("button", { name: "backend · claude-sonnet-4-6" }).first().click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "look", place: { kind: "job", id: "b2" } });
    assert.deepEqual(panel.pageErrors, []);
  });

  test("shows a rule measurement's result, and leads to it in Rules", async () => {
    const page = await panel.open({ state: stateOf({ kind: "home" }) });
    const { ask } = makeListed();
    const { suite, driver, model, effort, parallel, tokenCap } = ask;
    const select = { kind: "select" as const, agent: "sql", ruleIds: null, audits: 0 };
    const rules = makeSummary(undefined, {
      id: "s1",
      ask: { ...select, suite, driver, model, effort, parallel, tokenCap },
      selection: { chosenAt: 0, isTogether: false, rules: [] },
    });
    await panel.postToPanel(jobsMessage([rules], [{ ...trial, stoppedAt: 1, planned: 0 }]));
    const row = page.getByRole("row", { name: /^Rules of sql Rules 0 of 0 worth having/u });
    await row.getByRole("button").click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openRules", page: "rules", agent: "sql" });
    await page.getByRole("row", { name: /Trial on real work Done/u }).waitFor();
    await panel.postToPanel(
      jobsMessage([], [{ ...trial, agent: "*", ruleIds: ["guard:output", "guard:continuity"] }]),
    );
    await page.getByRole("button", { name: "Guards on real work: Output, Continuity" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openRules", page: "guards", agent: null });
  });

  test("keeps the tokens of a run in a narrow window", async () => {
    const page = await panel.open({
      reply: replyAsHost(),
      state: stateOf({ kind: "home" }),
      size: { width: 340, height: 700 },
    });
    const heading = page.getByRole("columnheader", { name: /^Tokens a run/u });
    await heading.waitFor();
    const box = await heading.boundingBox();
    assert.ok(box !== null && box.x + box.width <= 340, JSON.stringify(box));
    assert.equal(await page.getByRole("columnheader", { name: "Kind" }).isVisible(), false);
  });

  test("an empty list leads to a new experiment, and to tasks of the project's history", async () => {
    const page = await panel.open({ state: stateOf({ kind: "home" }) });
    await panel.postToPanel(jobsMessage([]));
    await page.getByRole("heading", { name: "No experiments yet" }).waitFor();
    await page.getByRole("button", { name: "Make Tasks from History…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "draftTasks" });
  });
});
