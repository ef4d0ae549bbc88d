import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { planPower } from "../../../src/engine/verdict/power/power.ts";
import type { GradeView } from "../../../src/engine/verdict/verdict-answers.ts";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { plan } from "../experiments/bench/fixtures.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import {
  makeResult,
  makeRule,
  makeRules,
  makeTogether,
  offerMessage,
  rulesMessage,
  selectAsk,
  selectionsMessage,
} from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

const worth: GradeView = {
  grade: "worth",
  share: 0.12,
  ofNothing: 0.2,
  ofHarm: 0.04,
  perSession: 7200,
  use: { perWeek: 25, weeks: 20 },
  paid: { sessions: 84, days: 24 },
  ms: 186 * 60_000,
  spent: { processingTokens: 605_000, usd: 4.6 },
};
const none: GradeView = { ...worth, grade: "none", share: -0.03, paid: null, ofNothing: 0.9, ofHarm: 0.6 };

/** @param perWeek sessions */
const powerFor = (rules: number, perWeek: number) =>
  planPower({
    kind: "candidate",
    rules,
    canShare: true,
    expected: { ...plan.expected, perRun: 60_000, spread: 0.3 },
    weights: [1, 1, 1, 1],
    bar: 60,
    rounds: null,
    sessions: { count: 280, days: 28, noise: null },
    use: { perWeek, weeks: 20, tokensPerSession: 60_000 },
    usdOfRound: 4,
  });

describe("the grade of rules", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  const openForm = async (
    power: ReturnType<typeof powerFor>,
    options: Parameters<typeof panel.open>[0] = {},
  ) => {
    const page = await panel.open(options);
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("button", { name: "Measure Rules…" }).first().click();
    await panel.postToPanel(offerMessage());
    await page.getByRole("heading", { name: "What It Would Cost" }).waitFor();
    await panel.postToPanel({ type: "plan", ask: selectAsk, plan: { ...plan, power }, problem: null });
    return page;
  };

  const startedGrade = () => {
    const last = panel.panelMessages.at(-1);
    assert.equal(last?.type, "start");
    return last.ask.grade;
  };

  test("names grade, price and payback on the rule's page and in its row", async () => {
    const page = await panel.open();
    const rules = [
      makeRule({ id: "r1", status: "measured", saving: 7200, expected: worth }),
      makeRule({
        id: "r2",
        status: "shelved",
        saving: -1800,
        expected: none,
        sentence: "Ask first, always.",
      }),
    ];
    await panel.postToPanel(rulesMessage({ rules, memories: [] }));
    await page.getByRole("option", { name: /worth having · saves 7,200/u }).click();
    await page
      .getByText("Worth having · saves ~12% · pays for itself after ~84 sessions (24 days)")
      .waitFor();
    await page.getByText("~605k tokens · ~$4.60 · ~3.1 hours").waitFor();
    await page.getByText("20% that it saves nothing, 4% that it does harm").waitFor();
    await page.getByText("~7,200 tokens per completed run, expected").waitFor();
    await page.getByRole("tab", { name: /Archive/u }).click();
    await page.getByText("Not worth having · costs ~3%").waitFor();
  });

  test("says first that measuring pays, and names its price on the button", async () => {
    const page = await openForm(powerFor(8, 25));
    await page.getByText(/^Worth measuring: pays for itself after ~\d+ sessions \(\d+ days\)\.$/u).waitFor();
    await page.getByText(/^~\S+M tokens · ~\$\S+ · ~\S+ (?:hours|minutes)$/u).waitFor();
    const start = page.getByRole("button", { name: /^Measure 2 Rules · ~\S+ tokens · ~\$\S+$/u });
    await start.click();
    assert.equal(startedGrade(), undefined);
  });

  test("advises against what does not pay before it starts, and leads to what is free", async () => {
    const page = await openForm(powerFor(1, 25));
    await page.getByText(/^Not worth measuring yet: .* With 2 more rules it pays\.$/u).waitFor();
    await page.getByRole("button", { name: /^Measure 2 Rules Anyway · / }).waitFor();
    await page.getByRole("button", { name: "Try on Real Work, Free" }).click();
    await page.getByText("Trial on real work").waitFor();
  });

  test("prices proof where it is chosen, with its chances", async () => {
    const page = await openForm(powerFor(8, 25));
    await page.getByLabel("Measure until").selectOption({ index: 1 });
    await page.getByText("Price at most").waitFor();
    await page.getByText(/^Not worth measuring: pays for itself after ~\S+ sessions/u).waitFor();
    await page.getByRole("heading", { name: "What It Would Decide" }).waitFor();
    await page.getByRole("button", { name: /Anyway/u }).click();
    assert.equal(startedGrade(), "proved");
  });

  test("says of a batch how many of its rules are expected to save nothing", async () => {
    const job = makeTogether();
    const rules = (job.selection?.rules ?? []).map((rule, index) => ({
      ...rule,
      state: "settled" as const,
      status: index < 2 ? ("measured" as const) : ("shelved" as const),
      result: { ...makeResult(), expected: index < 2 ? worth : none },
    }));
    const page = await panel.open();
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("button", { name: "Measure Rules…" }).first().click();
    const state = { kind: "done" as const };
    await panel.postToPanel(
      selectionsMessage([{ ...job, state, selection: { chosenAt: 0, isTogether: true, rules } }]),
    );
    await page.getByText("Of 2 rules that are worth having or proved, about 0.4 save nothing.").waitFor();
  });

  for (const theme of otherThemes)
    test(`has no fault in ${theme}, nor in a narrow page`, async () => {
      for (const width of [1100, 340]) {
        const page = await openForm(powerFor(1, 25), { theme, size: { width, height: 900 } });
        await page.getByText(/^Not worth measuring yet/u).waitFor();
        assert.deepEqual(await faultsOf(page), []);
      }
    });
});
