import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { emptyOverview, makeOverview, overviewMessage } from "./ledger/fixtures.ts";
import { faultsOf, otherThemes } from "./faults.ts";
import { ledgerPanel, type ThemeName, type PanelPage } from "./panel-page.ts";
import { startPanel } from "./start-panel.ts";
import { makeSession, sessionMessage } from "./ledger/session-fixture.ts";

describe("everybody can read the panel", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());

  const faults = (rules?: readonly string[]) => faultsOf(panel.page, rules);
  const showOverview = async (theme: ThemeName) => {
    const page = await panel.open({ theme });
    await panel.postToPanel(overviewMessage(makeOverview(30)));
    await page.getByRole("heading", { name: "Breakdown" }).waitFor();
    return page;
  };
  const showSession = async (page: Page) => {
    await page.getByRole("table", { name: "Sessions" }).getByRole("button").nth(9).click();
    const asked = panel.panelMessages.at(-1);
    await panel.postToPanel(sessionMessage(makeSession(asked?.type === "openSession" ? asked.id : "")));
    await page.getByRole("heading", { name: "Runs" }).waitFor();
  };

  test("by every rule: the overview, a session, tables in place of charts, and a page with nothing", async () => {
    const page = await showOverview("Dark Modern");
    assert.deepEqual(await faults(), []);
    await page.getByRole("button", { name: /^Show Table/u }).click();
    await page.getByRole("button", { name: "Custom" }).click();
    assert.deepEqual(await faults(), []);
    await showSession(page);
    assert.deepEqual(await faults(), []);
    await page.keyboard.press("Escape");
    await panel.open();
    await panel.postToPanel(overviewMessage(emptyOverview()));
    await page.getByRole("heading", { name: "No usage yet" }).waitFor();
    assert.deepEqual(await faults(), []);
  });

  for (const theme of otherThemes) {
    test(`${theme}: text has enough contrast`, async () => {
      const page = await showOverview(theme);
      assert.deepEqual(await faults(["color-contrast"]), []);
      await showSession(page);
      assert.deepEqual(await faults(["color-contrast"]), []);
    });
  }

  test("nothing is out of reach at 400 pixels, or at 200 % of the usual size", async () => {
    for (const width of [400, 320]) {
      await panel.open({ size: { width, height: 700 } });
      await panel.postToPanel(overviewMessage(makeOverview(90)));
      await panel.page.getByRole("heading", { name: "Breakdown" }).waitFor();
      assert.equal(
        await panel.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
        true,
        `${width} pixels`,
      );
    }
  });
});
