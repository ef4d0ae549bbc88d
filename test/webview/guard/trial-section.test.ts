import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { plainSentence } from "../../../src/engine/base/language.ts";
import type { GuardTrial, PanelMessage } from "../../../src/webview/guard/guard-protocol.ts";
import { now } from "../ledger/fixtures.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import {
  decidedTrial,
  makeBook,
  makeTried,
  makeView,
  rulesMessage,
  trialsMessage,
  viewMessage,
} from "./fixtures.ts";
import { guardPanel } from "./open-panel.ts";

describe("guards measured by random draw", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(guardPanel);
  });
  after(() => panel.close());

  const open = async (trials: readonly Partial<GuardTrial>[], all: "on" | "observe" = "on") => {
    const page = await panel.open();
    await panel.postToPanel(viewMessage(makeView({ modes: { all, families: { loops: "observe" } } })));
    await panel.postToPanel(rulesMessage(makeBook()));
    await panel.postToPanel(trialsMessage(...trials));
    await page.getByRole("heading", { name: "Measured by random draw" }).waitFor();
    return page;
  };
  const text = () => panel.page.getByRole("main").innerText();

  test("asks for consent, with what happens, before a trial starts", async () => {
    const page = await open([]);
    assert.match(await text(), /What guards save in your work is not known yet/u);
    await page.getByRole("button", { name: "Start Trial…" }).click();
    const form = page.getByRole("form", { name: "Start Trial" });
    assert.match(await form.innerText(), /acts or only observes: at random, about half and half/u);
    assert.match(await form.innerText(), /Nothing is sent anywhere, and nothing is spent/u);
    assert.match(await form.innerText(), /Families that protect, and budgets, always act/u);
    assert.equal(await form.getByRole("checkbox").count(), 7);
    assert.equal(await form.getByRole("checkbox", { name: /Loops.*turn it on first/u }).isDisabled(), true);
    await form.getByRole("checkbox", { name: "Output" }).press("Escape");
    await form.waitFor({ state: "detached" });
    assert.equal(panel.panelMessages.length, 1, "nothing was started");
    await page.getByRole("button", { name: "Start Trial…" }).click();
    await form.getByRole("checkbox", { name: "Advice" }).check();
    await form.getByRole("button", { name: "Start Trial" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "startTrial", families: ["output", "advice"] });
  });

  test("says that nothing is known yet, and stops at once", async () => {
    const page = await open([{}]);
    assert.match(await text(), /Output: not known yet, fewer than 20 sessions/u);
    assert.match(await text(), /acted in 6 sessions, only observed in 5/u);
    assert.match(await text(), /Running since .* · 11 of 1,000 sessions/u);
    assert.equal(await page.getByRole("button", { name: "Start Trial…" }).count(), 0);
    await page.getByRole("button", { name: "Stop Trial" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "stopTrial", id: "t0123456789" });
  });

  test("shows savings with their interval, what is undecided, and harm with a way out", async () => {
    const page = await open([decidedTrial]);
    assert.match(
      await text(),
      /Output: saves 6% \(2 to 10%\) of your tokens, measured on 140 of your sessions/u,
    );
    assert.match(
      await text(),
      /Loops: not known yet, so far between −3% and 11% saved, measured on 140 of your sessions/u,
    );
    assert.match(await text(), /Waste: more of your prompts are interrupted or fail where it acts/u);
    await page.getByRole("button", { name: "Only Observe From Now On" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "setMode", family: "waste", mode: "observe" });
    await panel.postToPanel(
      trialsMessage({
        rules: [
          makeTried({
            verdict: "costs",
            reason: null,
            saving: { value: -0.1, low: -0.2, high: -0.02, level: 0.9 },
          }),
        ],
        missing: [plainSentence("no agent's hooks reach purser here")],
      }),
    );
    await page.getByText("costs 10% (2 to 20%) more of your tokens").waitFor();
    await page.getByText("No new session takes part: no agent's hooks reach purser here.").waitFor();
  });

  test("keeps the result of a stopped trial, and offers another", async () => {
    const page = await open([{ ...decidedTrial, stoppedAt: now - 3_600_000 }]);
    assert.match(await text(), /Stopped .* after 151 sessions/u);
    assert.match(await text(), /saves 6% \(2 to 10%\)/u);
    assert.equal(await page.getByRole("button", { name: "Start Trial…" }).count(), 1);
    assert.equal(await page.getByRole("button", { name: "Stop Trial" }).count(), 0);
  });
});
