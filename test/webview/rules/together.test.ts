import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { RuleView } from "../../../src/engine/rules/rules-answers.ts";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { faultsOf } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import {
  makeResult,
  makeRules,
  makeTogether,
  makeWhole,
  offerMessage,
  planMessage,
  rulesMessage,
  selectAsk,
  selectionsMessage,
} from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

describe("Rules panel and rules that share their runs", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  test("rules that share their runs are a row each, with what each saves so far", async () => {
    const page = await panel.open();
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("button", { name: "Measure Rules…" }).first().click();
    await panel.postToPanel(selectionsMessage([makeTogether()]));
    await page.getByText("Measured with the same runs").waitFor();
    const plot = page.getByRole("img", { name: /^Tokens a run with each rule/u });
    const told = (await plot.getAttribute("aria-label")) ?? "";
    assert.match(
      told,
      /Run the one file.*: −1,900, from .*, settled\. List a folder.*: −2,600, from −5,500 to \+300\./u,
    );
    assert.match(told, /Ask for one file at a time\.: the first round goes on/u);
    assert.equal(await plot.locator(".row:not(.axis):not(.ends)").count(), 5);
    assert.equal(await page.getByText("Waits for its turn.").count(), 0);
    // The plot stands for the rounds of each rule.
    assert.equal(await page.getByRole("table").count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("the rules that were found are measured as a whole, in a row below their own", async () => {
    const page = await panel.open();
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("button", { name: "Measure Rules…" }).first().click();
    await panel.postToPanel(selectionsMessage([makeWhole()]));
    const plot = page.getByRole("img", { name: /^Tokens a run with each rule/u });
    const whole = page.getByRole("listitem").filter({ hasText: "All as a whole" });
    await whole.getByText(/Round 3: it saves ~4,300 tokens a run/u).waitFor();
    const told = (await plot.getAttribute("aria-label")) ?? "";
    assert.match(told, /All as a whole, against no rules at all\.: −4,300/u);
    const { found = [] } = makeWhole().selection?.set ?? {};
    await panel.postToPanel(
      selectionsMessage([
        makeWhole({ state: "settled", decision: "undecided", result: makeResult(), found }),
      ]),
    );
    await whole.getByText(/Undecided\. Each that was found has a receipt of its own/u).waitFor();
    await whole.getByRole("button", { name: "Receipt" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openReceipt", id: "x-9" });
    await panel.postToPanel(selectionsMessage([makeWhole({ state: "unpaid", looks: [] })]));
    await whole.getByRole("button", { name: "Confirm Together…" }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("the page shows what the whole set does before a rule is let in, or that it was not measured", async () => {
    const page = await panel.open();
    const view = makeRules();
    const [first] = view.rules.filter(({ status }) => status === "measured");
    assert.ok(first);
    const show = async (set: RuleView["set"], status: RuleView["status"] = "measured") => {
      const rules = view.rules.map((rule) =>
        rule.id === first.id ? { ...rule, status, ...(set === undefined ? {} : { set }) } : rule,
      );
      await panel.postToPanel(rulesMessage({ ...view, rules }));
    };
    const set = {
      rules: 3,
      reason: plainSentence("It saves 4,300 tokens a completed run."),
      receiptId: "set-1",
    };
    await show({ ...set, decision: null, reason: plainSentence(""), receiptId: null });
    await page.getByRole("option", { name: /set not confirmed/u }).click();
    await page.getByRole("button", { name: "Confirm Together…" }).waitFor();
    await show({ ...set, decision: "undecided" });
    await page.getByText(/All 3 rules that would be active.*undecided.*you may still add it/u).waitFor();
    assert.equal(await page.getByRole("button", { name: "Add to the Agent's Memory" }).isEnabled(), true);
    await page.getByRole("button", { name: "Receipt", exact: true }).first().click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openReceipt", id: "set-1" });
    await show({ ...set, decision: "refused" }, "shelved");
    await page.getByText(/refused, so that none of those that were found was added/u).waitFor();
    assert.equal(await page.getByRole("button", { name: "Add to the Agent's Memory" }).count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("confirms passed rules together from the page, after showing the plan and price", async () => {
    const page = await panel.open();
    const view = makeRules();
    const [first, second] = view.rules.filter(({ agent }) => agent === "test-writer");
    assert.ok(first && second);
    const set = { rules: 2, reason: plainSentence(""), receiptId: null, decision: null };
    const rules = view.rules.map((rule) =>
      rule.id === first.id || rule.id === second.id
        ? { ...rule, status: "measured" as const, set }
        : { ...rule, status: rule.status === "measured" ? ("shelved" as const) : rule.status },
    );
    await panel.postToPanel(rulesMessage({ ...view, rules }));
    await page
      .getByRole("option", { name: /set not confirmed/u })
      .first()
      .click();
    await page.getByRole("button", { name: "Confirm Together…" }).click();
    const last = (type: PanelMessage["type"]) =>
      panel.panelMessages.findLast((message) => message.type === type);
    assert.deepEqual(last("look"), { type: "look", place: { kind: "selection", agent: "test-writer" } });
    await panel.postToPanel(offerMessage());
    await page.getByRole("heading", { name: "Confirm Together" }).waitFor();
    const ask = { ...selectAsk, audits: 0, isConfirming: true };
    assert.deepEqual(last("plan"), { type: "plan", ask });
    const confirm = page.getByRole("button", { name: /^Confirm 2 Rules Together/u });
    assert.equal(await confirm.isDisabled(), true, "not before its price is known");
    await panel.postToPanel(planMessage(selectAsk));
    assert.equal(await confirm.isDisabled(), true, "another plan's price is not its own");
    await panel.postToPanel(planMessage(ask));
    await page.getByRole("button", { name: /^Confirm 2 Rules Together · at most \d+ runs/u }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await confirm.click();
    assert.deepEqual(last("start"), { type: "start", ask });
    await panel.postToPanel({ type: "done", message: "Rules are being measured.", follow: null });
    await page.getByRole("heading", { name: "What It Would Cost" }).waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("a replay confirms nothing, and measuring rules is one click away", async () => {
    const page = await panel.open();
    const view = makeRules();
    const [first] = view.rules.filter(({ status }) => status === "measured");
    assert.ok(first);
    const set = { rules: 2, reason: plainSentence(""), receiptId: null, decision: null };
    const rules = view.rules.map((rule) => (rule.id === first.id ? { ...rule, set } : rule));
    await panel.postToPanel(rulesMessage({ ...view, rules }));
    await page.getByRole("option", { name: /set not confirmed/u }).click();
    await page.getByRole("button", { name: "Confirm Together…" }).click();
    await panel.postToPanel(offerMessage());
    await page.getByText("Fewer than two ready rules wait for you").waitFor();
    await page.getByLabel("Measure with").selectOption({ index: 2 });
    await page.getByText("A replay confirms no rules: choose an agent.").waitFor();
    await page.getByRole("button", { name: "Measure Rules Instead" }).click();
    await page.getByRole("heading", { name: "What It Would Cost" }).waitFor();
  });
});
