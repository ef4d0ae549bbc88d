import assert from "node:assert/strict";
import { after, before, describe, it, test } from "node:test";
import fc from "fast-check";
import {
  bandsOf,
  describeRoom,
  levelsOf,
  roomOf,
  shareOf,
} from "../../../src/webview/ledger/session-page/room.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import { ledgerPanel, type PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeOverview, overviewMessage } from "./fixtures.ts";
import { makeSession, sessionMessage } from "./session-fixture.ts";

const live = {
  window: 200_000,
  isWindowEstimated: false,
  compaction: 166_000,
  advice: { wrapUp: 132_800, endTurn: 152_720 },
};
const compacted = { at: 1, agentId: null, trigger: "auto" as const, preTokens: 150_000, postTokens: 30_000 };

describe("the window of a session's context", () => {
  it("uses the live view's figure for a live session, else the ledger's, and is unknown without either", () => {
    assert.deepEqual(roomOf({ window: 1_000_000, compactions: [] }, live), {
      window: 200_000,
      isEstimated: false,
      compaction: 166_000,
      advice: { wrapUp: 132_800, endTurn: 152_720 },
    });
    assert.deepEqual(roomOf({ window: 200_000, compactions: [compacted] }, null), {
      window: 200_000,
      isEstimated: true,
      compaction: 150_000,
      advice: null,
    });
    assert.equal(roomOf({ window: null, compactions: [compacted] }, null), null);
    assert.equal(roomOf({ window: null, compactions: [] }, { ...live, window: null }), null);
  });

  it("describes its lines in words for screen readers", () => {
    const room = roomOf({ window: 200_000, compactions: [] }, live);
    assert.ok(room !== null);
    assert.equal(shareOf(20_000, room), "10%");
    assert.equal(shareOf(20_000, { ...room, isEstimated: true }), "~10%");
    assert.deepEqual(
      levelsOf(room).map(({ name }) => name),
      ["window 200,000", "compaction ~166,000"],
    );
    assert.equal(
      describeRoom(room, 1),
      "The window is 200,000 tokens; compaction begins at ~166,000; it was compacted 1 time.",
    );
  });

  it("has bands that lie in order below compaction", () => {
    const size = fc.integer({ min: 1, max: 199_999 });
    fc.assert(
      fc.property(size, size, size, (a, b, compaction) => {
        const advice = { wrapUp: Math.min(a, b), endTurn: Math.max(a, b) };
        const room = roomOf({ window: null, compactions: [] }, { ...live, compaction, advice });
        assert.ok(room?.advice);
        let end = 0;
        for (const { from, to } of bandsOf(room)) {
          assert.ok(from >= end && to > from && to <= compaction);
          end = to;
        }
      }),
    );
  });
});

describe("Context over turns", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());
  const open = async (options: Parameters<PanelPage["open"]>[0] = {}) => {
    const page = await panel.open(options);
    await panel.postToPanel(overviewMessage(makeOverview(30)));
    await page.getByRole("table", { name: "Sessions" }).getByRole("button").nth(9).click();
    const asked = panel.panelMessages.at(-1);
    await panel.postToPanel(sessionMessage(makeSession(asked?.type === "openSession" ? asked.id : "")));
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    return page;
  };

  test("its axis is the window, with lines for compaction and the window, bands of advice and the last share", async () => {
    const page = await open();
    const chart = page.locator("purser-area-chart");
    const texts = (await chart.locator("svg text").allTextContents()).map((text) => text.trim());
    for (const name of ["200k", "window 200,000", "compaction ~166,000", "wrap up", "end the turn", "35%"])
      assert.ok(texts.includes(name), name);
    assert.equal(await chart.locator("rect.zone").count(), 2);
    const slider = page.getByRole("slider", { name: "Context by turn, tokens" });
    await slider.focus();
    await page.keyboard.press("End");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /: 70,124 · 35%/u);
    assert.match(
      await page.locator(".hidden-text", { hasText: "The window is" }).innerText(),
      /compacted 3 times/u,
    );
  });

  for (const theme of ["Dark Modern", ...otherThemes] as const)
    test(`${theme}: axe finds nothing, wide and at 200 %`, async () => {
      for (const width of [1280, 640]) {
        const page = await open({ theme, size: { width, height: 800 } });
        assert.deepEqual(await faultsOf(page), []);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      }
    });
});
