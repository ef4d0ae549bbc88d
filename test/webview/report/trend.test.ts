import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/report/report-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeReport, reportMessage } from "./fixtures.ts";
import { statusPanel } from "./open-panel.ts";

describe("the report's agents", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(statusPanel);
  });
  after(() => panel.close());
  const open = async (report = makeReport(), options: Parameters<typeof panel.open>[0] = {}) => {
    const page = await panel.open({ size: { width: 1280, height: 900 }, ...options });
    await panel.postToPanel(reportMessage(report));
    await page.getByRole("heading", { name: "Agents", exact: true }).waitFor();
    return page;
  };

  test("draws each median by week as a line, described in words, with the rules' versions", async () => {
    const page = await open();
    const line = page.getByRole("img", {
      name: /^Median tokens a run by week: .*61,400, .* 48,300; rules: version \d/u,
    });
    assert.ok((await line.first().locator(".version").count()) > 0);
    assert.ok((await page.getByRole("img", { name: "Needs runs in two weeks" }).count()) > 0);
  });

  test("columns and figures of nothing are left out, and the reports of measured rules lead to them", async () => {
    const report = makeReport();
    const agents = report.agents.map((agent) => ({
      ...agent,
      rent: 0,
      saving: 0,
      rules: { candidate: 0, approved: 0, measured: 0, active: 0, shelved: 0, evicted: 0 },
    }));
    const page = await open({ ...report, agents });
    const headings = page.getByRole("table", { name: "Agents" }).getByRole("columnheader");
    assert.deepEqual(
      (await headings.allInnerTexts()).map((text) => text.trim()),
      ["Agent", "Runs", "Median", "p75", "By week"],
    );
    assert.equal(await page.locator(".cards dt", { hasText: "Active rules" }).count(), 0);
    await page.getByRole("button", { name: /reports of measured rules$/u }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "review", id: null });
  });

  for (const theme of ["Dark Modern", ...otherThemes] as const)
    test(`${theme}: axe finds nothing, wide and at 200 %`, async () => {
      for (const width of [1280, 640]) {
        const page = await open(makeReport(), { theme, size: { width, height: 800 } });
        assert.deepEqual(await faultsOf(page), []);
      }
    });
});
