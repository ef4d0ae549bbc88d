import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { noFilter, type PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { Page } from "playwright-core";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import {
  evidenceMessage,
  freePlanMessage,
  makeEvidence,
  makeMemory,
  makeRule,
  makeRules,
  makeSelection,
  offerMessage,
  planMessage,
  rulesMessage,
  selectAsk,
  selectionsMessage,
} from "./fixtures.ts";
import { makeAgent } from "./report-fixture.ts";
import { rulesPanel } from "./open-panel.ts";

describe("Rules", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  const open = async (options: Parameters<typeof panel.open>[0] = {}) => {
    const page = await panel.open(options);
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("navigation", { name: "Rules" }).waitFor();
    return page;
  };
  /** Confirms the requested action and waits until the panel shows it. */
  const done = async (message: string) => {
    await panel.postToPanel({ type: "done", message, follow: null });
    await panel.page.getByRole("status").filter({ hasText: message }).waitFor({ state: "attached" });
  };
  const openMemory = async (page: Page) => {
    await page.getByRole("tab", { name: /^In Memory/u }).click();
    await page.getByRole("button", { name: "Memory of test-writer" }).click();
  };
  const lastAct = () => panel.panelMessages.findLast((message) => message.type === "act");
  const faults = (rules?: readonly string[]) => faultsOf(panel.page, rules);

  test("rules are in three tabs with their counts, the proven ones first, and the first is shown", async () => {
    const page = await open();
    assert.deepEqual(await page.getByRole("tab").allInnerTexts(), [
      "Waiting for You 3",
      "In Memory 1",
      "Archive 2",
    ]);
    const headings = () => page.getByRole("navigation").getByRole("heading").allInnerTexts();
    assert.deepEqual(await headings(), ["Ready 1", "Proposed 1", "To Be Measured 1"]);
    assert.match(
      await page.locator(".detail").getByRole("heading", { level: 1 }).innerText(),
      /^when editing tests Run the one file/u,
    );
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "look",
      place: { kind: "rule", id: "r0000000002" },
    });
    await page.getByRole("tab", { name: /^In Memory/u }).click();
    assert.deepEqual(await headings(), ["test-writer 1"]);
    await page.getByRole("tab", { name: /^Archive/u }).click();
    assert.deepEqual(await headings(), ["Paused 1", "Removed 1"]);
  });

  test("arrow keys move between the tabs, and each remembers its rule", async () => {
    const page = await open();
    await page.keyboard.press("j");
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.getByRole("tab", { selected: true }).innerText(), /^Archive/u);
    await page.getByRole("heading", { level: 1, name: /^Note what/u }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { level: 1, name: /^Read a file once/u }).waitFor();
    assert.deepEqual(await panel.savedState(), {
      place: { kind: "rule", id: "r0000000001" },
      tab: "waiting",
      chosen: { waiting: "r0000000001", memory: "r0000000004", archive: "r0000000006" },
      isOpen: false,
      filter: noFilter,
    });
  });

  test("a decision about the last rule of a tab leaves the tab empty, with a way to undo it", async () => {
    const page = await open();
    await page.getByRole("tab", { name: /^In Memory/u }).click();
    await page.getByRole("button", { name: "Remove from Memory…" }).click();
    await page.getByLabel(/^Reason/u).press("Enter");
    const view = makeRules();
    const rules = view.rules.map((rule) =>
      rule.status === "active" ? { ...rule, status: "evicted" as const, canUndo: true } : rule,
    );
    await panel.postToPanel(rulesMessage({ ...view, rules }));
    await done("rejected");
    await page.getByText("No rule is in an agent's memory.").waitFor();
    assert.equal(await page.locator(".detail h1").count(), 0);
    await page
      .getByRole("group", { name: "What you decided last" })
      .getByRole("button", { name: "Undo" })
      .click();
    assert.deepEqual(lastAct(), { type: "act", id: "r0000000004", act: { kind: "undo" } });
    assert.match(await page.getByRole("tab", { selected: true }).innerText(), /^Archive/u);
  });

  test("a link leads to a rule of another tab", async () => {
    const page = await open();
    await page.keyboard.press("j");
    await page.getByRole("button", { name: "Read each file at most twice." }).click();
    assert.match(await page.getByRole("tab", { selected: true }).innerText(), /^Archive/u);
    await page.getByRole("option", { name: /^Read each file/u, selected: true }).waitFor();
  });

  test("the head says what active rules cost and save, by agent", async () => {
    const page = await open();
    const line = page.locator(".title .worth");
    assert.equal(await line.innerText(), "test-writer: ~33 tokens a session, saves 2,890 a run");
    const others = ["a", "b"].map((agent) =>
      makeRule({ agent, id: `r00000000${agent}`, status: "active", saving: null }),
    );
    const view = makeRules();
    await panel.postToPanel(rulesMessage({ ...view, rules: [...view.rules, ...others] }));
    await line.getByText("· 2 more agents").waitFor();
    assert.match(
      (await line.getAttribute("title")) ?? "",
      /\na: ~33 tokens a session, saving not measured\n/u,
    );
    await panel.postToPanel(
      rulesMessage({ ...view, rules: view.rules.filter(({ status }) => status !== "active") }),
    );
    await line.waitFor({ state: "detached" });
  });

  test("everything is done by keys: j, k, a, r with a reason, e, p, u", async () => {
    const page = await open();
    await page.keyboard.press("j");
    assert.match(
      await page.locator(".detail").getByRole("heading", { level: 1 }).innerText(),
      /^Read a file once/u,
    );
    await page.keyboard.press("a");
    assert.deepEqual(lastAct(), { type: "act", id: "r0000000001", act: { kind: "approve" } });
    await done("approved");
    // The other waiting rule comes next.
    assert.match(
      await page.locator(".detail").getByRole("heading", { level: 1 }).innerText(),
      /^when editing tests Run/u,
    );
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.getByLabel(/^Reason/u).fill("a j k too vague");
    await page.keyboard.press("Enter");
    assert.deepEqual(lastAct(), {
      type: "act",
      id: "r0000000001",
      act: { kind: "reject", why: "a j k too vague" },
    });
    await done("rejected");
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    const field = page.getByLabel(/^Another sentence/u);
    assert.match(await field.inputValue(), /^Read a file once/u);
    await page.keyboard.press("Escape");
    assert.equal(await field.count(), 0);
    await page.keyboard.press("p");
    assert.deepEqual(lastAct()?.type === "act" && lastAct(), {
      type: "act",
      id: "r0000000001",
      act: { kind: "protect", isProtected: true },
    });
    await done("protected");
    await page.keyboard.press("j");
    await page.keyboard.press("u");
    assert.deepEqual(lastAct(), { type: "act", id: "r0000000003", act: { kind: "undo" } });
    await page.keyboard.press("k");
    assert.match(
      await page.locator(".detail").getByRole("heading", { level: 1 }).innerText(),
      /^Read a file once/u,
    );
    assert.equal(await page.getByRole("status").innerText(), "protected");
  });

  test("ignores keys during a request, reports a failure, and keeps the earlier content", async () => {
    const page = await open();
    await page.keyboard.press("a");
    const said = panel.panelMessages.length;
    await page.keyboard.press("p");
    assert.equal(panel.panelMessages.length, said);
    await panel.postToPanel({ type: "error", message: "That could not be done: locked" });
    await page.locator(".banner", { hasText: "locked" }).waitFor();
    assert.equal(await page.getByRole("navigation").count(), 1);
  });

  test("an active rule shows its start, and its next measurement", async () => {
    const page = await open({ state: { place: { kind: "rule", id: "r0000000004" }, isOpen: false } });
    await page.getByText("Active since").waitFor();
    await page.getByText(/the next time active rules are re-measured, number 1 of 1/u).waitFor();
  });

  test("where a rule came from opens the transcript at the turn", async () => {
    const page = await open();
    await page.keyboard.press("j");
    await page.getByRole("button", { name: "Line 31" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openSource", id: "r0000000001", line: 31 });
  });

  test("evidence: dots for pairs, the interval, what is needed; as a table; a replay is marked", async () => {
    const page = await open();
    await panel.postToPanel(evidenceMessage("r0000000002", makeEvidence()));
    const plot = page.getByRole("img", { name: /It saves 4,210, from 1,650 to 6,780; 66 are needed/u });
    await plot.waitFor();
    assert.equal(await plot.locator("circle.pair").count(), 12);
    assert.equal(
      await page
        .locator(".banner", { hasText: "It says nothing about a model. It decides nothing about this rule." })
        .count(),
      1,
    );
    await page.getByRole("button", { name: "Show Table: Evidence" }).click();
    assert.match(await page.getByRole("table", { name: "Evidence by task" }).innerText(), /add-tide-test/u);
    await page.getByRole("button", { name: "Receipt" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openReceipt", id: "x-1" });
    await panel.postToPanel(evidenceMessage("r0000000002", makeEvidence({ saving: null, pairs: [] })));
    await page.getByRole("button", { name: "Show Chart: Evidence" }).click();
    await page.getByRole("img", { name: /Too few to say/u }).waitFor();
  });

  test("a memory that is the user's is replaced only by its very text", async () => {
    const page = await open();
    await openMemory(page);
    await page.getByRole("button", { name: /^Replace It/u }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "compile",
      agent: "test-writer",
      replaces: makeMemory().text,
    });
    await done("The memory is written.");
    await page.getByRole("button", { name: "Go Back to It" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "undoMemory", agent: "test-writer", version: "2" });
  });

  const openSelection = async (driver: "claude" | "replay" = "claude") => {
    const page = await open();
    await page.getByRole("button", { name: "Measure Rules…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "look",
      place: { kind: "selection", agent: "test-writer" },
    });
    await panel.postToPanel(offerMessage(driver));
    await page.getByRole("heading", { name: "What It Would Cost" }).waitFor();
    return page;
  };
  const lastPlan = () => panel.panelMessages.findLast((message) => message.type === "plan");

  test("the button shows the price of measuring, and nothing starts before it is pressed", async () => {
    const page = await openSelection();
    assert.deepEqual(lastPlan(), { type: "plan", ask: selectAsk });
    assert.equal(await page.getByRole("button", { name: "Measure 2 Rules" }).isDisabled(), true);
    await panel.postToPanel(planMessage(selectAsk));
    const start = page.getByRole("button", {
      name: "Measure 2 Rules · at most 12 runs · ~512k tokens · ~$3.40",
    });
    await start.waitFor();
    assert.equal(panel.panelMessages.filter(({ type }) => type === "start").length, 0);
    await page
      .getByRole("checkbox", {
        name: /^Then measure one active rule again: the one that was measured longest ago, of 1/u,
      })
      .uncheck();
    const approved = { ...selectAsk, audits: 0 };
    assert.deepEqual(lastPlan(), { type: "plan", ask: approved });
    await page.getByLabel("New tokens at most").fill("500000");
    await page.getByLabel("New tokens at most").press("Tab");
    const capped = { ...approved, tokenCap: 500_000 };
    assert.deepEqual(lastPlan(), { type: "plan", ask: capped });
    await panel.postToPanel(planMessage(capped));
    await page.getByRole("button", { name: /^Measure 1 Rule/u }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "start", ask: capped });
    await panel.postToPanel({ type: "error", message: "That could not be done: busy" });
    await page.locator(".banner", { hasText: "busy" }).waitFor();
  });

  test("a replay is free and marked as no measurement, and a failed plan gives the reason", async () => {
    const page = await openSelection("replay");
    const ask = { ...selectAsk, driver: "replay", parallel: 4 };
    assert.deepEqual(lastPlan(), { type: "plan", ask });
    await panel.postToPanel(freePlanMessage(ask, { packages: 213 }));
    await page.getByText("npm downloads up to 213 packages").waitFor();
    await page.getByRole("button", { name: "Measure 2 Rules · at most 4 runs · free" }).waitFor();
    const demo = page.getByText("It says nothing about a model. It decides about no rule.");
    assert.equal(await demo.count(), 1);
    assert.equal(await page.getByLabel("New tokens at most").count(), 0);
    await panel.postToPanel(planMessage(ask, "the fixture was changed"));
    await page.locator(".banner", { hasText: "the fixture was changed" }).waitFor();
  });

  test("while rules are measured: round, runs, tokens, how many more would decide; it can be ended", async () => {
    const page = await openSelection();
    await panel.postToPanel(selectionsMessage([makeSelection()]));
    await page.getByRole("heading", { name: "Measuring" }).waitFor();
    await page.getByText("41 of at most 288 runs · 1,720,000 new tokens · $5.40").waitFor();
    await page
      .getByText("Round 2: it saves ~4,100 tokens a run (−400 to 8,600); 24 more runs would decide it.")
      .waitFor();
    await page.getByText("Ready. Saves 1,900 tokens a completed run").waitFor();
    await page.getByRole("navigation").getByText("measuring, round 3").waitFor();
    assert.equal(await page.getByRole("heading", { name: "What It Would Cost" }).count(), 0);
    await page.getByRole("button", { name: "Receipt" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openReceipt", id: "x-9" });
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "cancel", id: "s1" });
    await panel.postToPanel(selectionsMessage([makeSelection({ state: { kind: "cancelled" } })]));
    await page.getByRole("button", { name: "Resume" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "resume", id: "s1" });
    assert.deepEqual(panel.pageErrors, []);
  });

  test("shows outside text as text, which cannot reorder the text beside it", async () => {
    const page = await panel.open();
    const sentence = "<img src=x onerror=alert(1)> \u202egnp.exe";
    await panel.postToPanel(
      rulesMessage({ rules: [makeRule({ sentence, agent: "<b>bold</b>" })], memories: [] }),
    );
    await page.locator(".detail").getByRole("heading", { level: 1 }).waitFor();
    assert.equal(
      await page.locator(".detail").getByRole("heading", { level: 1 }).innerText(),
      "<img src=x onerror=alert(1)> gnp.exe",
    );
    assert.equal(await page.locator("img, b").count(), 0);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("nothing yet, offline, and a place that is remembered", async () => {
    const page = await panel.open();
    await panel.postToPanel(rulesMessage({ rules: [], memories: [] }));
    await page.getByRole("button", { name: "Add Rule…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "add" });
    await panel.open();
    await panel.postToPanel({ type: "offline", message: "Purser's service is not running." });
    await page.getByRole("heading", { name: "The service is offline" }).waitFor();
    const state = { place: { kind: "rule", id: "r0000000004" }, isOpen: false };
    await open({ state });
    assert.match(
      await page.locator(".detail").getByRole("heading", { level: 1 }).innerText(),
      /^Search once/u,
    );
    await page.getByRole("tab", { name: /^Archive/u }).click();
    const place = { kind: "rule", id: "r0000000006" };
    assert.deepEqual(await panel.savedState(), {
      ...state,
      place,
      tab: "archive",
      chosen: { memory: "r0000000004", archive: "r0000000006" },
      filter: noFilter,
    });
  });

  test("an agent's memory has what its real work took with each version, as a curve or a table", async () => {
    const page = await open();
    await openMemory(page);
    const section = page.locator("purser-section[heading='Learning']");
    await section.getByText("No run has used a memory of measured rules yet.").waitFor();
    const { learned } = makeAgent();
    await panel.postToPanel({ type: "learning", agent: "somebody-else", learned });
    await section.getByText("No run has used a memory of measured rules yet.").waitFor();
    await panel.postToPanel({ type: "learning", agent: "test-writer", learned });
    await section.locator("purser-dot-chart svg").first().waitFor();
    assert.deepEqual(await faults(), []);
    await section.getByRole("button", { name: /table/iu }).click();
    const rows = page.getByRole("table", { name: /^Learning of test-writer/u }).getByRole("row");
    assert.equal(await rows.count(), learned.length + 1);
    assert.deepEqual(await faults(), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("axe finds nothing: a rule, a reason being written, a memory, nothing at all", async () => {
    const page = await open();
    await panel.postToPanel(evidenceMessage("r0000000002", makeEvidence()));
    await page.getByRole("img").waitFor();
    assert.deepEqual(await faults(), []);
    await page.keyboard.press("r");
    await page.getByLabel(/^Reason/u).waitFor();
    assert.deepEqual(await faults(), []);
    await page.keyboard.press("Escape");
    await openMemory(page);
    assert.deepEqual(await faults(), []);
    await openSelection();
    await panel.postToPanel(planMessage(selectAsk));
    await panel.postToPanel(selectionsMessage([makeSelection({ state: { kind: "cancelled" } })]));
    await page.getByRole("button", { name: "Resume" }).waitFor();
    assert.deepEqual(await faults(), []);
    await panel.open();
    await panel.postToPanel(rulesMessage({ rules: [], memories: [] }));
    await page.getByRole("heading", { name: "No rules yet" }).waitFor();
    assert.deepEqual(await faults(), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  for (const theme of otherThemes)
    test(`${theme}: text has enough contrast`, async () => {
      const page = await open({ theme });
      await panel.postToPanel(evidenceMessage("r0000000002", makeEvidence()));
      await page.getByRole("img").waitFor();
      assert.deepEqual(await faults(["color-contrast"]), []);
      await openMemory(page);
      assert.deepEqual(await faults(["color-contrast"]), []);
      await page.getByRole("button", { name: "Measure Rules…" }).click();
      await panel.postToPanel(offerMessage());
      await panel.postToPanel(planMessage(selectAsk));
      await panel.postToPanel(selectionsMessage([makeSelection({ state: { kind: "cancelled" } })]));
      await page.getByRole("button", { name: "Resume" }).waitFor();
      assert.deepEqual(await faults(["color-contrast"]), []);
    });

  test("nothing is out of reach at 320 pixels", async () => {
    const page = await open({ size: { width: 320, height: 700 } });
    const isWithin = () =>
      page.evaluate(`document.documentElement.scrollWidth <= window.innerWidth &&
        [...document.querySelector("purser-rules").shadowRoot.querySelectorAll(".groups, .detail")]
          .every((pane) => pane.scrollWidth <= pane.clientWidth)`);
    assert.equal(await isWithin(), true);
    await page.getByRole("option").first().click();
    await panel.postToPanel(evidenceMessage("r0000000002", makeEvidence()));
    await page.getByRole("img").waitFor();
    assert.equal(await isWithin(), true);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Measure Rules…" }).click();
    await panel.postToPanel(selectionsMessage([makeSelection()]));
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    assert.equal(await isWithin(), true);
  });
});
