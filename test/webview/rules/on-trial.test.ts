import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeRules, rulesMessage } from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";
import { makeHead, makeTrial, trialMessage, trialPlanMessage } from "./trial-fixtures.ts";

describe("Rules panel: rules on trial in real work", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  /** Opens the trial page of the agent that has approved rules. */
  const open = async (options: Parameters<typeof panel.open>[0] = {}) => {
    const page = await panel.open(options);
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("button", { name: "Measure Rules…" }).first().click();
    await page.getByRole("button", { name: "Try Them on Real Work…" }).click();
    await page.locator(".detail").getByRole("heading", { level: 1, name: "test-writer" }).waitFor();
    return page;
  };
  const last = (type: PanelMessage["type"]) =>
    panel.panelMessages.findLast((message) => message.type === type);

  test("shows what new sessions would get before a trial begins, and offers a choice of folder", async () => {
    const page = await open();
    assert.deepEqual(last("look"), { type: "look", place: { kind: "trial", agent: "test-writer" } });
    await panel.postToPanel(trialMessage(null));
    await page.getByText("No trial has begun: nothing is given to any session.").waitFor();
    const start = page.getByRole("button", { name: /^Start Trial/u });
    assert.equal(await start.count(), 0, "not before it is shown");
    await panel.postToPanel(trialPlanMessage());
    await page.getByText("Each new session of Claude Code is").waitFor();
    await page.getByRole("listitem").filter({ hasText: "List a folder before" }).waitFor();
    await page.getByLabel("Sessions").selectOption("everywhere");
    assert.deepEqual(last("planTrial"), { type: "planTrial", agent: "test-writer", isEverywhere: true });
    await panel.postToPanel(trialPlanMessage(null, true));
    assert.deepEqual(await faultsOf(page), []);
    for (const told of [
      "5% of sessions go on without",
      "Recorded before a session's first prompt",
      "Stop Trial ends it",
    ])
      await page.getByRole("listitem").filter({ hasText: told }).waitFor();
    const box = page.getByRole("checkbox", { name: "Remove a rule without asking" });
    assert.equal(await box.isChecked(), false, "off until it is agreed");
    await box.check();
    await start.focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(last("startTrial"), {
      type: "startTrial",
      agent: "test-writer",
      isEverywhere: true,
      ruleIds: ["r0000000003"],
      switchesOff: true,
    });
    assert.equal(await start.isDisabled(), true, "only once");
    await panel.postToPanel({ type: "done", message: "New sessions are given these rules.", follow: null });
    await page.getByRole("status").filter({ hasText: "New sessions" }).waitFor({ state: "attached" });
  });

  test("gives the reason why no trial can begin, with a way to try again", async () => {
    const page = await open();
    await panel.postToPanel(trialMessage(null));
    await panel.postToPanel(trialPlanMessage("no agent's hooks reach purser here"));
    await page.getByText("No agent's hooks reach purser here.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Start Trial" }).isDisabled(), true);
    await page.getByRole("button", { name: "Try Again" }).click();
    assert.deepEqual(last("planTrial"), { type: "planTrial", agent: "test-writer", isEverywhere: false });
    assert.deepEqual(await faultsOf(page), []);
  });

  test("a running trial shows which session had what, what each rule saves, and stops with one click", async () => {
    const page = await open();
    await panel.postToPanel({ type: "trials", trials: [makeHead()] });
    await panel.postToPanel(trialMessage(makeTrial()));
    await page.getByRole("button", { name: "Trial Is Running" }).waitFor();
    const rules = page.getByRole("table", { name: "Rules on trial" });
    const cells = (name: RegExp) => rules.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(await cells(/^1\. List a folder/u), ["Saves", "95", "9", "48 / 52", "Let In"]);
    assert.deepEqual(await cells(/^2\. .*Run the one file/u), [
      "Undecided: not shown yet",
      "50",
      "0",
      "55 / 45",
      "",
    ]);
    const saved = page.getByRole("table", { name: "Savings of each rule" });
    const shown = (name: RegExp) => saved.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(await shown(/^1\. List a folder/u), [
      "11 (1 to 20)",
      "12 (4 to 19)",
      "8 (−2 to 17)",
      "10 (4 to 16)",
    ]);
    assert.deepEqual(await shown(/^2\. .*Run the one file/u), ["unknown", "unknown", "not measured", "none"]);
    const prompts = page.getByRole("table", { name: "Prompts with and without each rule" });
    const went = (name: RegExp) => prompts.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    assert.deepEqual(await went(/^1\. List a folder/u), ["−1 (−4 to 2)", "1 (−3 to 5)", "1 (−5 to 6)"]);
    assert.deepEqual(await went(/^2\./u), ["unknown", "unknown", "unknown"]);
    const sessions = page.getByRole("table", { name: "Sessions of the trial" });
    const row = async (name: RegExp) => await sessions.getByRole("row", { name }).innerText();
    assert.match(await row(/5e550002/u), /rule 1, rule 2\s+10\s+9\s+1\s+21,341\s+no/u);
    assert.match(await row(/5e550003/u), /none\s+0\s+0\s+–\s+–\s+still running/u);
    assert.match(
      await page.getByRole("listitem").filter({ hasText: "5e550009" }).innerText(),
      /Codex.*none of its hooks/u,
    );
    assert.equal(await page.getByRole("button", { name: /^Start Trial/u }).count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    await rules.getByRole("button", { name: "Let In" }).click();
    assert.deepEqual(last("letInByTrial"), { type: "letInByTrial", id: "r0000000003" });
    await panel.postToPanel({ type: "done", message: "The rule is in its agent's memory.", follow: null });
    await page.getByRole("button", { name: "Stop Trial" }).click();
    assert.deepEqual(last("stopTrial"), { type: "stopTrial", id: "t1234567890" });
    await panel.postToPanel({ type: "done", message: "The trial is stopped.", follow: null });
    await panel.postToPanel({ type: "trials", trials: [makeHead({ stoppedAt: 5 })] });
    await panel.postToPanel(trialMessage(makeTrial({ stoppedAt: 5 })));
    await page.getByText("This trial is stopped").waitFor();
    assert.equal(await page.getByRole("button", { name: "Stop Trial" }).count(), 0);
    await rules.getByRole("button", { name: "List a folder" }).click();
    assert.deepEqual(last("look"), { type: "look", place: { kind: "rule", id: "r0000000003" } });
  });

  test("asks whether a rule that probably costs is removed", async () => {
    const page = await open();
    const [first] = makeTrial().rules;
    assert.ok(first !== undefined);
    const harmful = {
      ...first,
      basis: null,
      verdict: "undecided" as const,
      saves: 0.01,
      chance: 0.05,
      isHarmful: true,
    };
    await panel.postToPanel(trialMessage(makeTrial({ rules: [harmful] })));
    const rules = page.getByRole("table", { name: "Rules on trial" });
    assert.equal(await rules.getByRole("button", { name: "Let In" }).count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    await rules.getByRole("button", { name: "Remove" }).click();
    assert.deepEqual(last("act"), {
      type: "act",
      id: first.id,
      act: { kind: "reject", why: "it probably costs tokens, by its trial" },
    });
  });

  test("any of an agent's trials can be chosen, and an old one starts no new one", async () => {
    const page = await open();
    const old = makeHead({ id: "t0000000009", startedAt: 5, stoppedAt: 9, project: null, sessions: 31 });
    const running = makeHead();
    await panel.postToPanel({
      type: "trials",
      trials: [running, makeHead({ agent: "sql", id: "t0000000001" }), old],
    });
    await panel.postToPanel(trialMessage(makeTrial()));
    await panel.postToPanel(trialPlanMessage());
    const trials = page.getByRole("combobox", { name: /^Trial/u });
    await trials.waitFor();
    const names = await trials.getByRole("option").allInnerTexts();
    assert.equal(names.length, 2, "of this agent");
    assert.match(names[0] ?? "", /since .* running · 3 sessions · .*harbor/u);
    assert.match(names[1] ?? "", /stopped .* · 31 sessions · all folders/u);
    assert.equal(await trials.inputValue(), running.id);
    await trials.selectOption(old.id);
    assert.deepEqual(last("chooseTrial"), { type: "chooseTrial", agent: "test-writer", id: old.id });
    await panel.postToPanel(trialMessage(makeTrial({ ...old, drawn: [] })));
    await page.getByText("This trial is stopped: it gives nothing to any session.").waitFor();
    assert.equal(await trials.inputValue(), old.id);
    assert.equal(await page.getByRole("button", { name: /Stop Trial|Start Trial/u }).count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    await panel.postToPanel({ type: "trials", trials: [running] });
    assert.equal(await trials.count(), 0, "one is no choice");
  });

  test("a list without all sessions shows how many more there are", async () => {
    const page = await open();
    await panel.postToPanel(trialMessage(makeTrial({ sessions: 803, undrawnCount: 41 })));
    await page.getByText("800 more: purser trial status t1234567890 --json lists them").waitFor();
    await page.getByText("40 more: purser trial status t1234567890 --json lists them").waitFor();
  });

  test("reports a trial without sessions, or one that no session reaches any more", async () => {
    const page = await open();
    const missing = [plainSentence("no agent's hooks reach purser here")];
    await panel.postToPanel(trialMessage(makeTrial({ drawn: [], undrawn: [], sessions: 0, missing })));
    await page.getByText("No session has begun yet.").waitFor();
    await page.getByText("No new session takes part: no agent's hooks reach purser here.").waitFor();
    assert.deepEqual(await faultsOf(page), []);
  });

  for (const theme of otherThemes)
    test(`${theme}: text has enough contrast`, async () => {
      const page = await open({ theme });
      await panel.postToPanel(trialMessage(makeTrial({ stoppedAt: 5 })));
      await panel.postToPanel(trialPlanMessage("no agent's hooks reach purser here"));
      await page.getByRole("button", { name: "Try Again" }).waitFor();
      assert.deepEqual(await faultsOf(page, ["color-contrast"]), []);
    });

  test("nothing is out of reach at 320 pixels", async () => {
    const page = await open({ size: { width: 320, height: 700 } });
    await panel.postToPanel(trialMessage(makeTrial({ stoppedAt: 5 })));
    await panel.postToPanel(trialPlanMessage());
    await page.getByRole("button", { name: /^Start Trial/u }).waitFor();
    const isWithin = await page.evaluate(`document.documentElement.scrollWidth <= window.innerWidth &&
      [...document.querySelector("purser-rules").shadowRoot.querySelectorAll(".groups, .detail")]
        .every((pane) => pane.scrollWidth <= pane.clientWidth)`);
    assert.equal(isWithin, true);
  });
});
