import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";
import { emptyOverview, makeOverview, overviewMessage } from "./fixtures.ts";
import { ledgerPanel, PanelPage, type ThemeName } from "./panel-page.ts";
import { makeSession, sessionMessage } from "./session-fixture.ts";

const themes: readonly ThemeName[] = [
  "Dark Modern",
  "Light Modern",
  "Dark High Contrast",
  "Light High Contrast",
];
const violations = z.array(z.object({ id: z.string(), targets: z.array(z.string()) }));

describe("everybody can read the panel", { timeout: 90_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await PanelPage.start(ledgerPanel);
  });
  after(() => panel.close());

  /** Into the page through the browser and not through its policy. @param rules all of them if none is named */
  const faults = async (rules?: readonly string[]) => {
    const { page } = panel;
    await page.evaluate(axe.source);
    const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
    const found = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then((result) =>
      result.violations.map(({ id, nodes }) => ({
        id,
        targets: nodes.map(({ target, failureSummary }) => JSON.stringify(target) + failureSummary),
      })))`);
    return violations.parse(found);
  };
  const showOverview = async (theme: ThemeName) => {
    const page = await panel.open({ theme });
    await panel.say(overviewMessage(makeOverview(30)));
    await page.getByRole("heading", { name: "Breakdown" }).waitFor();
    return page;
  };
  const showSession = async (page: Page) => {
    await page.getByRole("table", { name: "Sessions" }).getByRole("button").nth(9).click();
    const asked = panel.said.at(-1);
    await panel.say(sessionMessage(makeSession(asked?.type === "openSession" ? asked.id : "")));
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
    await panel.say(overviewMessage(emptyOverview()));
    await page.getByRole("heading", { name: "No usage yet" }).waitFor();
    assert.deepEqual(await faults(), []);
  });

  for (const theme of themes) {
    test(`${theme}: text stands out from what is behind it`, async () => {
      const page = await showOverview(theme);
      assert.deepEqual(await faults(["color-contrast"]), []);
      await showSession(page);
      assert.deepEqual(await faults(["color-contrast"]), []);
    });
  }

  test("nothing is out of reach at 400 pixels, or at 200 % of the usual size", async () => {
    for (const width of [400, 320]) {
      await panel.open({ size: { width, height: 700 } });
      await panel.say(overviewMessage(makeOverview(90)));
      await panel.page.getByRole("heading", { name: "Breakdown" }).waitFor();
      assert.equal(
        await panel.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
        true,
        `${width} pixels`,
      );
    }
  });
});
