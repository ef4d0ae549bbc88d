import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/economy/economy-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { economyMessage, failedSinceChange, makeEconomy, makeWake } from "./fixtures.ts";
import { economyPanel } from "./open-panel.ts";

describe("the page of recurring agents", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(economyPanel);
  });
  after(() => panel.close());

  const open = async (options: Parameters<typeof panel.open>[0] = {}, view = makeEconomy()) => {
    const page = await panel.open(options);
    await panel.postToPanel(economyMessage(view));
    await page.getByRole("heading", { name: "Problems" }).waitFor();
    return page;
  };
  const problems = () => panel.page.locator(".warnings li").allInnerTexts();
  const row = (name: string) =>
    panel.page
      .getByRole("table", { name: "Runs" })
      .getByRole("row")
      .filter({ hasText: name })
      .first()
      .innerText();

  test("says in a sentence what each agent did, cost and saved", async () => {
    const page = await open();
    assert.deepEqual(panel.panelMessages, [{ type: "ready", days: 30, project: null }]);
    assert.deepEqual(await page.locator(".worth li").allInnerTexts(), [
      "keeper: 1 task done for $0.16 · reusing sessions saved 76%",
      "tidier: 1 run for $0.040",
    ]);
    await page.locator(".worth").getByRole("button", { name: "tidier" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "openAgent",
      project: "/tides/quay",
      agent: "tidier",
    });
    const costly = [
      makeWake(1, { normalizedInput: 12_000 }),
      makeWake(2, { reason: "first", normalizedInput: 10_000 }),
    ];
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: costly })));
    await page.getByText("2 runs for $0.080 · reusing sessions cost 20% more").waitFor();
  });

  test("lists what is wrong, by agent, and says if nothing is", async () => {
    const page = await open();
    assert.deepEqual(await problems(), [
      "keeper: 1 of 5 runs ended because of quota or network.",
      "keeper: Only 75% of scheduled runs reused the session; 80% is expected.",
      "keeper: Only 67% of later runs read only what was new; 80% is expected.",
      "tidier: 1 of 1 runs failed.",
    ]);
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: failedSinceChange() })));
    await page.getByText("fewer runs succeed: 100% before, 0% after.").waitFor();
    const worse = await problems();
    assert.match(
      worse[1] ?? "",
      /^keeper: Since its file changed on Nov 21, more runs leave their task blocked: 0% before, 100% after\.$/u,
    );
    assert.equal(worse[2], "keeper: 12 of 24 runs failed.");
    await panel.postToPanel(
      economyMessage(
        makeEconomy({ wakes: [makeWake(1), makeWake(2, { reason: "first", normalizedInput: 30_000 })] }),
      ),
    );
    await page.getByText("None in the last 30 days.").waitFor();
  });

  test("each run with what started it, its session and why, how it ended and its cost", async () => {
    const page = await open();
    assert.match(
      await row("rotated"),
      /keeper\s+12\s+Schedule\s+New: rotated, too old\s+Completed\s+31,000\s+0\.04/u,
    );
    assert.match(await row("Quota"), /Reused\s+Quota or network\s+–\s+–/u);
    assert.equal(await page.getByRole("table").count(), 1);
    await page
      .getByRole("button", { name: /, session of keeper$/u })
      .first()
      .click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openSession", id: "session-1" });
  });

  test("requests another time and project, and does not show late answers", async () => {
    const page = await open();
    await page.getByLabel("Period").selectOption("7 days");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "narrow", days: 7, project: null });
    const single = makeEconomy({ wakes: [makeWake(1)] });
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: [] })));
    assert.match(await page.getByRole("main").innerText(), /76%/u);
    await panel.postToPanel(economyMessage(single, { days: 7 }));
    await page.getByText("1 run for $0.040").waitFor();
    await page.getByLabel("Project").selectOption({ index: 2 });
    assert.deepEqual(panel.panelMessages.at(-1), { type: "narrow", days: 7, project: "/tides/quay" });
  });

  test("without a run it says what would be here", async () => {
    const page = await panel.open();
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: [], projects: [] })));
    await page.getByRole("heading", { name: "No runs yet" }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole("button", { name: "New Recurring Agent…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "getStarted" });
  });

  test("text of tasks and agents is text", async () => {
    const wakes = [makeWake(1, { agent: "<b>keeper</b>\u202e", taskId: "a\u0007b" })];
    const page = await open({}, makeEconomy({ wakes }));
    assert.equal(await page.getByRole("main").locator("b").count(), 0);
    assert.ok(!(await page.getByRole("main").innerText()).includes("\u202e"));
  });

  test("everybody can read it: every rule, and contrast in other themes", async () => {
    const page = await open();
    assert.deepEqual(await faultsOf(page), []);
    for (const theme of otherThemes) {
      await open({ theme });
      assert.deepEqual(await faultsOf(panel.page, ["color-contrast"]), [], theme);
    }
  });

  test("nothing is out of reach at 400 pixels, or at 200 % of the usual size", async () => {
    for (const width of [400, 320]) {
      await open({ size: { width, height: 700 } });
      assert.equal(
        await panel.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
        true,
        `${width} pixels`,
      );
    }
  });
});
