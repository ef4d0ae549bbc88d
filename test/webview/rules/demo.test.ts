import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import {
  makeRules,
  makeSelection,
  offerMessage,
  planMessage,
  rulesMessage,
  selectAsk,
  selectionsMessage,
} from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

describe("Rules panel and demo runs", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  const open = async (view = makeRules()) => {
    const page = await panel.open();
    await panel.postToPanel(rulesMessage(view));
    await page.getByRole("navigation", { name: "Rules" }).waitFor();
    return page;
  };
  const openSelection = async (driver: "claude" | "replay", problem: string | null = null) => {
    const page = await open();
    await page.getByRole("button", { name: "Measure Rules…" }).click();
    await panel.postToPanel(offerMessage(driver, problem));
    return page;
  };
  const lastPlan = () => panel.panelMessages.findLast((message) => message.type === "plan");

  test("replays nothing automatically without an agent: names what is missing, and offers the demo in one press", async () => {
    const page = await openSelection("claude", "Claude Code is not logged in");
    await page.getByText("No agent is ready. Claude Code is not logged in.").waitFor();
    assert.deepEqual(lastPlan(), { type: "plan", ask: selectAsk });
    await panel.postToPanel(planMessage(selectAsk));
    const start = page.getByRole("button", { name: /^Measure 2 Rules · at most/u });
    await start.waitFor();
    assert.ok(await start.isDisabled());
    await page.getByRole("button", { name: "Try with Recordings (Demo)" }).click();
    assert.deepEqual(lastPlan(), { type: "plan", ask: { ...selectAsk, driver: "replay", parallel: 4 } });
    await page.locator(".banner", { hasText: "It decides about no rule." }).waitFor();
  });

  test("a replay is a demo: no verdict, no check mark, and no key lets it in", async () => {
    const page = await openSelection("replay");
    const demo = makeSelection();
    const [first] = demo.selection?.rules ?? [];
    assert.ok(first?.result);
    const rule = {
      ...first,
      status: "approved" as const,
      result: { ...first.result, driver: "replay" as const },
    };
    await panel.postToPanel(
      selectionsMessage([
        {
          ...demo,
          ask: { ...selectAsk, driver: "replay" },
          recordedBy: ["script"],
          state: { kind: "done" },
          selection: { chosenAt: 1, isTogether: false, rules: [rule] },
        },
      ]),
    );
    const shown = page.locator("ol.measured > li").first();
    await shown.getByText(/^\s*Demo\. /u).waitFor();
    assert.equal(await shown.getByText("Passed", { exact: false }).count(), 0);
    await page
      .getByRole("option", { name: /^List a folder/u })
      .first()
      .click();
    await panel.page.keyboard.press("a");
    assert.equal(
      panel.panelMessages.filter(({ type }) => type === "act").length,
      0,
      "it is approved already",
    );
  });

  test("an active rule let in only by a demo is marked as not measured, with an offer to measure it", async () => {
    const view = makeRules();
    const rules = view.rules.map((rule) =>
      rule.id === "r0000000004" ? { ...rule, auditedAt: null, saving: null, receipts: [] } : rule,
    );
    const page = await open({ ...view, rules });
    await page.getByRole("tab", { name: /^In Memory/u }).click();
    await page
      .getByRole("navigation")
      .getByRole("option", { name: /^Search once/u })
      .click();
    await page.getByText("was never measured with a model").waitFor();
    await page.getByRole("button", { name: "Measure It…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "look",
      place: { kind: "selection", agent: "test-writer" },
    });
  });
});
