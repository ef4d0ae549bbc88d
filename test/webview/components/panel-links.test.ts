import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { linkMessage, linkedPanels, sampleMessage } from "../../../src/webview/components/panel-message.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import { makeOverview, overviewMessage } from "../ledger/fixtures.ts";
import { ledgerPanel, type PanelPage } from "../panel-page.ts";
import { makeRules, rulesMessage } from "../rules/fixtures.ts";
import { rulesPanel } from "../rules/open-panel.ts";
import { economyMessage, makeEconomy } from "../economy/fixtures.ts";
import { economyPanel } from "../economy/open-panel.ts";
import { firstState } from "../../../src/webview/ledger/ledger-protocol.ts";
import { makeSession, sessionMessage } from "../ledger/session-fixture.ts";
import { startPanel } from "../start-panel.ts";

describe("links from panel to panel", { timeout: 120_000 }, () => {
  const heard = z.union([linkMessage, sampleMessage, ledgerPanel.panelMessages]);
  let panel: PanelPage<z.infer<typeof heard>>;
  before(async () => {
    panel = await startPanel({ ...ledgerPanel, panelMessages: heard });
  });
  after(() => panel.close());
  const open = async (options: Parameters<typeof panel.open>[0] = {}) => {
    const page = await panel.open({
      linkedAs: "ledger",
      reply: ({ type }) => (type === "ready" ? overviewMessage(makeOverview(3)) : []),
      ...options,
    });
    await page.locator("main[aria-busy=false] h2").first().waitFor();
    return page;
  };

  test("each panel is one click or key away, and the current one is marked", async () => {
    const page = await open();
    const links = page.getByRole("navigation", { name: "Panels" });
    assert.equal(await links.locator("[aria-current=page]").innerText(), "Usage");
    assert.deepEqual(await links.getByRole("link").allInnerTexts(), ["Rules", "Experiments", "Guard"]);
    await links.getByRole("link", { name: "Experiments" }).click();
    await links.getByRole("link", { name: "Guard" }).focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(
      panel.panelMessages.filter(({ type }) => type === "show"),
      [
        { type: "show", panel: "experiments" },
        { type: "show", panel: "guard" },
      ],
    );
    assert.deepEqual(panel.pageErrors, []);
    assert.equal(linkedPanels.length, 5);
  });

  test("the page of recurring agents is only among the links of its own page", async () => {
    const agents = await startPanel(economyPanel);
    try {
      const page = await agents.open({
        linkedAs: "economy",
        reply: ({ type }) => (type === "ready" ? economyMessage(makeEconomy()) : []),
      });
      await page.locator("main[aria-busy=false] h2").first().waitFor();
      const links = page.getByRole("navigation", { name: "Panels" });
      assert.equal(await links.locator("[aria-current=page]").innerText(), "Recurring Agents");
      assert.equal(await links.getByRole("link").count(), 4);
    } finally {
      await agents.close();
    }
  });

  test("they are readable in every theme, and in reach at 400 pixels", async () => {
    for (const theme of ["Dark Modern", ...otherThemes] as const) {
      const page = await open({ theme, size: { width: 400, height: 700 } });
      assert.deepEqual(await faultsOf(page), [], theme);
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"),
        false,
      );
    }
  });

  test("a page that fills its panel leaves room for them", async () => {
    const rules = await startPanel(rulesPanel);
    try {
      const page = await rules.open({
        linkedAs: "rules",
        reply: ({ type }) => (type === "ready" ? rulesMessage(makeRules()) : []),
      });
      await page.locator("main[aria-busy=false] h2").first().waitFor();
      assert.equal(
        await page.evaluate("document.documentElement.scrollHeight > document.documentElement.clientHeight"),
        false,
      );
    } finally {
      await rules.close();
    }
  });

  for (const isSample of [false, true])
    test(`the link of a panel leads from a session to its first page${isSample ? ", in the sample too" : ""}`, async () => {
      const page = await open({
        isSample,
        state: { ...firstState, sessionId: "one" },
        reply: ({ type }) =>
          type === "ready" ? [overviewMessage(makeOverview(3)), sessionMessage(makeSession("one"))] : [],
      });
      await page.getByRole("button", { name: "Open Transcript" }).waitFor();
      const own = page.locator("purser-panel-links [aria-current=page]");
      await own.click();
      await page.getByRole("heading", { name: "Breakdown" }).waitFor();
      assert.deepEqual(panel.panelMessages.at(-1), { type: "closeSession" });
      await own.click();
      assert.deepEqual(
        panel.panelMessages.at(-1),
        { type: "closeSession" },
        "a first page has nothing to lead to",
      );
      await page.locator("purser-panel-links").getByText("Guard", { exact: true }).click();
      assert.deepEqual(
        panel.panelMessages.at(-1),
        isSample ? { type: "sample", action: "guard" } : { type: "show", panel: "guard" },
      );
    });

  test("a page without a panel name from its host has no links", async () => {
    const page = await panel.open({ reply: () => overviewMessage(makeOverview(3)) });
    await page.locator("main[aria-busy=false] h2").first().waitFor();
    assert.equal(await page.getByRole("navigation", { name: "Panels" }).count(), 0);
  });
});
