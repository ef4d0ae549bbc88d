import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/rules/protocol.ts";
import { faultsOf } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeRules, makeTogether, rulesMessage, selectionsMessage } from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

describe("Rule Review and rules that share their runs", { timeout: 90_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  test("rules that share their runs are a row each, with what each saves so far", async () => {
    const page = await panel.open();
    await panel.postToPanel(rulesMessage(makeRules()));
    await page.getByRole("option", { name: "Measure test-writer" }).click();
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
});
