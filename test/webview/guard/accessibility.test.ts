import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/guard/guard-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { addedException, emptyView, makeBook, makeView, rulesMessage, viewMessage } from "./fixtures.ts";
import { guardPanel } from "./open-panel.ts";

describe("the Guard panel for everybody", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(guardPanel);
  });
  after(() => panel.close());

  const open = async (
    options: Parameters<typeof panel.open>[0] = {},
    view = makeView(),
    book = makeBook(),
  ) => {
    const page = await panel.open(options);
    await panel.postToPanel(viewMessage(view));
    await panel.postToPanel(rulesMessage(book));
    await page.getByRole("heading", { name: "Your rules and exceptions" }).waitFor();
    return page;
  };

  test("axe finds nothing: chart, table, choices, a rule, nothing at all", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Turn On…" }).click();
    await page.getByRole("button", { name: "Allow…" }).first().click();
    await panel.postToPanel({ type: "excepted", hit: "toolu_1:git-push-force", added: addedException() });
    await page.getByRole("button", { name: "Allow…" }).first().click();
    assert.deepEqual(await faultsOf(panel.page), []);
    await page.getByRole("button", { name: /^Show Table/u }).click();
    assert.deepEqual(await faultsOf(panel.page), []);
    await page.getByRole("button", { name: "git-push-force" }).first().click();
    await page.getByRole("heading", { name: "Fires on", exact: true }).waitFor();
    assert.deepEqual(await faultsOf(panel.page), []);
    await open({}, emptyView(), makeBook({ exceptions: [] }));
    assert.deepEqual(await faultsOf(panel.page), []);
    assert.deepEqual(panel.pageErrors, []);
  });

  for (const theme of otherThemes)
    test(`${theme}: text has enough contrast`, async () => {
      const page = await open({ theme });
      await page.getByRole("button", { name: "Allow…" }).first().click();
      assert.deepEqual(await faultsOf(panel.page, ["color-contrast"]), []);
    });

  for (const width of [400, 320])
    test(`nothing is out of reach at ${width} pixels`, async () => {
      const page = await open({ size: { width, height: 700 } });
      await page.getByRole("button", { name: "Allow…" }).first().click();
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
    });
});
