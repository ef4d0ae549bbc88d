import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { faultsOf, otherThemes } from "../faults.ts";
import { ledgerPanel, type PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeOverview, overviewMessage } from "./fixtures.ts";

const overview = makeOverview(30);
const [one, other] = overview.sessions;
const path = "/home/mara/work/harbor/src/tide.ts";
const rereads = [
  { path, sessionId: one?.id ?? "", reads: 3, chars: 900 },
  { path: "/home/mara/work/harbor/README.md", sessionId: one?.id ?? "", reads: 4, chars: null },
  { path, sessionId: other?.id ?? "", reads: 5, chars: 100 },
];

describe("the ledger's lists", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());
  const open = async (size = { width: 1280, height: 900 }) => {
    const page = await panel.open({ size });
    await panel.postToPanel(overviewMessage({ ...overview, rereads }));
    await page.getByRole("heading", { name: "Breakdown" }).waitFor();
    return page;
  };

  test("finds sessions by words of their title, agent or project, and shows the count", async () => {
    const page = await open();
    const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row");
    const field = page.getByLabel("Filter Sessions");
    await field.fill("codex BERTH");
    const found = (await rows.count()) - 1;
    assert.ok(found > 0 && found < 12);
    await page.getByText(`${found} of 48`).waitFor();
    for (const text of await rows.allInnerTexts()) assert.match(text, /Codex|Session/u);
    await field.press("Escape");
    assert.equal(await field.inputValue(), "");
    assert.equal(await rows.count(), 13);
    assert.equal(
      panel.panelMessages.some(({ type }) => type === "closeSession"),
      false,
    );
  });

  test("marks the sort order; the same column reverses it, and a third time restores it", async () => {
    const page = await open();
    const heading = page
      .getByRole("table", { name: "Sessions" })
      .getByRole("columnheader", { name: /^Last active/u });
    assert.equal(await heading.getAttribute("aria-sort"), "descending");
    await heading.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "ascending");
    await heading.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "descending");
    const cost = page.getByRole("table", { name: "Sessions" }).getByRole("columnheader", { name: /^Cost/u });
    await cost.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "none");
  });

  test("a file that several sessions read again is one row, the most read first, with its sessions on demand", async () => {
    for (const size of [
      { width: 1280, height: 900 },
      { width: 400, height: 900 },
    ]) {
      const page = await open(size);
      const rows = page.getByRole("table", { name: "Files read again" }).getByRole("row");
      assert.equal(await rows.count(), 3);
      assert.match(await rows.nth(1).innerText(), /tide\.ts\s+8\s+1,000/u);
      await rows.nth(1).getByText("2 sessions", { exact: true }).click();
      await rows.nth(1).getByRole("button").first().click();
      assert.deepEqual(panel.panelMessages.at(-1), { type: "openSession", id: one?.id });
    }
  });

  for (const theme of ["Dark Modern", ...otherThemes] as const)
    test(`${theme}: axe finds nothing in a filtered list with a file's sessions shown`, async () => {
      const page = await panel.open({ theme, size: { width: 640, height: 800 } });
      await panel.postToPanel(overviewMessage({ ...overview, rereads }));
      await page.getByLabel("Filter Sessions").fill("codex");
      await page.getByText("2 sessions", { exact: true }).click();
      assert.deepEqual(await faultsOf(page), []);
    });
});
