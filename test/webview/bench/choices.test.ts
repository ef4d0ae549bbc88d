import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { firstState, type PanelMessage } from "../../../src/webview/bench/bench-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { benchPanel } from "./open-panel.ts";
import { choices, choicesMessage, jobsMessage, plan } from "./fixtures.ts";

describe("the available ways to measure, and the missing ones", () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(benchPanel);
  });
  after(() => panel.close());

  const openSilent = async () => panel.open({ state: { ...firstState, place: { kind: "home" } } });
  const last = () => panel.panelMessages.at(-1);

  test("replays nothing automatically without an agent: names what is missing, and offers the demo in one press", async () => {
    const page = await openSilent();
    const problem = "Claude Code was not found: there is no program claude";
    const drivers = choices.drivers.map((driver) =>
      driver.name === "replay" ? driver : { ...driver, isReady: false, problem: plainSentence(problem) },
    );
    await panel.postToPanel(choicesMessage({ drivers, driver: "claude" }));
    await panel.postToPanel(jobsMessage([]));
    await page.getByText(problem).first().waitFor();
    const text = last();
    assert.ok(text?.type === "plan");
    assert.equal(text.ask.driver, "claude");
    await panel.postToPanel({ type: "plan", ask: text.ask, plan, problem: null });
    assert.ok(await page.getByRole("button", { name: "Run", exact: true }).isDisabled());
    await page.getByRole("button", { name: "Try with Recordings (Demo)" }).click();
    await page.getByText("Demo: replays a recording. It says nothing about a model.").waitFor();
    const tried = last();
    assert.ok(tried?.type === "plan");
    assert.deepEqual([tried.ask.driver, tried.ask.runs], ["replay", 1]);
  });

  test("lists drafts as drafts, each with what remains to do, beside the used suite", async () => {
    const page = await openSilent();
    const remaining = ["write its check", "remove .draft from its name, then run purser golden check"];
    const draft = {
      file: "/home/mara/harbor/.purser/golden/tasks/backend/01-tides.draft.md",
      agent: "backend",
    };
    await panel.postToPanel(
      choicesMessage({
        drafts: [{ ...draft, title: "Tides\u202e of <b>May</b>", remaining: remaining.map(plainSentence) }],
      }),
    );
    await panel.postToPanel(jobsMessage([]));
    await page.getByRole("heading", { name: "1 Draft" }).waitFor();
    await page.getByText("Tides of <b>May</b>").click();
    assert.deepEqual(await page.locator("details li").allInnerTexts(), remaining);
    assert.equal(last()?.type, "plan", "what is there besides can be planned");
  });
});
