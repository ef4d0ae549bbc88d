import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage, Place } from "../../../src/webview/compare/compare-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { ask } from "./fixtures.ts";
import { comparePanel, replyAsHost } from "./open-panel.ts";

const home: Place = { kind: "home" };

describe("a plan of a comparison", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(comparePanel);
  });
  after(() => panel.close());
  const open = (place: Place) => panel.open({ reply: replyAsHost(), state: { place, ask, scroll: 0 } });

  test("stays in the list after leaving the form, until it is discarded or started", async () => {
    const page = await open({ kind: "plan" });
    await page.getByRole("button", { name: /^Run 96 runs/u }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Not started yet: haiku vs. sonnet").waitFor();
    await page.getByRole("button", { name: "Continue Plan" }).click();
    await page.getByRole("button", { name: /^Run 96 runs/u }).click();
    await panel.postToPanel({ type: "show", place: { kind: "comparison", id: "c1" } });
    await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Comparisons" }).waitFor();
    assert.equal(await page.getByText("Not started yet").count(), 0);
    await open(home);
    await page.getByRole("button", { name: "Discard" }).click();
    assert.equal(await page.getByText("Not started yet").count(), 0);
    assert.deepEqual(await panel.savedState(), { place: home, ask: null, scroll: 0 });
    assert.deepEqual(panel.pageErrors, []);
  });
});
