import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeRules, rulesMessage } from "./fixtures.ts";
import { makeLearned } from "./learned-fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

describe("Rules panel: what was learned from past sessions", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  const items = [
    makeLearned(),
    makeLearned({
      id: "l2",
      kind: "convention",
      text: "Tests are run with `npm test` (9 of 9)",
      state: "kept",
    }),
    makeLearned({
      id: "l3",
      kind: "dead-end",
      text: "make deploy: Error: no host <b>x</b>",
      uses: 2,
      helped: 1,
    }),
  ];
  const open = async (options: Parameters<typeof panel.open>[0] = {}) => {
    const page = await panel.open(options);
    await panel.postToPanel(rulesMessage(makeRules()));
    await panel.postToPanel({ type: "learned", items });
    await page.getByRole("button", { name: "Learned (3)" }).click();
    await page.getByRole("heading", { name: "What Fixed Errors" }).waitFor();
    return page;
  };
  const last = (type: PanelMessage["type"]) =>
    panel.panelMessages.findLast((message) => message.type === type);

  test("shows each item with its evidence, and keeps, rewords, forgets it or makes it a rule", async () => {
    const page = await open();
    await page.getByText("Seen in 5e550001 (prompts 2, 5)").first().waitFor();
    await page.getByText("make deploy: Error: no host <b>x</b>").waitFor();
    assert.equal(await page.locator(".learned code").innerText(), "npm test");
    assert.doesNotMatch(await page.locator("article").innerText(), /`|score/u);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole("button", { name: /^Make It a Rule: “Cannot/u }).click();
    assert.deepEqual(last("promoteLearned"), { type: "promoteLearned", id: "l1" });
    await page.getByRole("button", { name: /^Edit: “Cannot/u }).click();
    await page.getByLabel("In your words").fill("Run npm ci.");
    await page.keyboard.press("Enter");
    assert.deepEqual(last("markLearned"), {
      type: "markLearned",
      id: "l1",
      state: "edited",
      text: "Run npm ci.",
    });
    await panel.postToPanel({ type: "done", message: "It is kept in your words.", follow: null });
    await page.getByRole("button", { name: /^Forget: make deploy/u }).click();
    assert.deepEqual(last("markLearned"), { type: "markLearned", id: "l3", state: "forgotten", text: null });
    await panel.postToPanel({ type: "done", message: "It is forgotten.", follow: null });
    await page.getByRole("button", { name: /^Do Not Keep: Tests are run/u }).click();
    assert.deepEqual(last("markLearned"), { type: "markLearned", id: "l2", state: "shown", text: null });
  });

  for (const theme of otherThemes)
    test(`it has no faults in ${theme}, at 400 pixels`, async () => {
      const page = await open({ theme });
      assert.deepEqual(await faultsOf(page), []);
      await page.setViewportSize({ width: 400, height: 700 });
      assert.deepEqual(await faultsOf(page), []);
    });
});
