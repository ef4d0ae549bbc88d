import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { firstState as guardState } from "../../src/webview/guard/guard-protocol.ts";
import { firstState } from "../../src/webview/ledger/ledger-protocol.ts";
import { waitFor } from "../engine/support/wait-for.ts";
import { makeComparison } from "./experiments/compare/fixtures.ts";
import {
  experimentsPanel,
  replyAsHost as replyAsExperimentsHost,
  stateOf,
} from "./experiments/open-panel.ts";
import { makeOverview, overviewMessage } from "./ledger/fixtures.ts";
import { ledgerPanel, type PanelKind, type PanelPage } from "./panel-page.ts";
import { makeView, rulesMessage as guardRulesMessage, viewMessage } from "./guard/fixtures.ts";
import { guardPanel } from "./guard/open-panel.ts";
import { makeRules, rulesMessage } from "./rules/fixtures.ts";
import { rulesPanel } from "./rules/open-panel.ts";
import { economyMessage, makeEconomy } from "./economy/fixtures.ts";
import { economyPanel } from "./economy/open-panel.ts";
import { startPanel } from "./start-panel.ts";

const offline = { type: "offline", message: "Purser's service is not running." };
const small = { width: 600, height: 300 };
const experimentsState = stateOf({ kind: "job", id: "c1" });

/**
 * Tests the behaviour common to every page. @param answer the host's first and later messages @param state an earlier state, without its scroll
 * position
 */
function everyPage<FromPage extends { readonly type: string }>(
  kind: PanelKind<FromPage>,
  {
    answer,
    state,
    isScrolled,
  }: { answer: (message: FromPage) => unknown; state: object; isScrolled: boolean },
): void {
  describe(kind.title, { timeout: 240_000 }, () => {
    let panel: PanelPage<FromPage>;
    before(async () => {
      panel = await startPanel(kind);
    });
    after(() => panel.close());
    const types = () => panel.panelMessages.map(({ type }) => type);
    const answered = async (kept: unknown = state) => {
      const page = await panel.open({ size: small, state: kept, reply: answer });
      await page.locator("main[aria-busy=false] :is(h1, h2)").first().waitFor();
      return page;
    };

    test("sends ready once and first, and is busy until the answer", async () => {
      const page = await panel.open({ size: small });
      assert.equal(await page.locator("main").getAttribute("aria-busy"), "true");
      assert.deepEqual(types(), ["ready"]);
      await panel.postToPanel(offline);
      await page.locator("main[aria-busy=false]").waitFor();
      assert.deepEqual(panel.pageErrors, []);
    });

    test("without an answer there are two ways on, and a screen reader hears why", async () => {
      const page = await panel.open({ size: small });
      await panel.postToPanel(offline);
      await page.getByRole("status").filter({ hasText: offline.message }).waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Show Log" }).click();
      await page.getByRole("button", { name: "Try Again" }).click();
      assert.deepEqual(types(), ["ready", "showLog", "retry"]);
    });

    test("shows trouble after an answer above the known content", async () => {
      const page = await answered();
      const known = await page.locator("main h2").allTextContents();
      await panel.postToPanel(offline);
      await page.locator(".banner", { hasText: offline.message }).getByRole("button").click();
      assert.deepEqual(await page.locator("main h2").allTextContents(), known);
      assert.equal(types().at(-1), "retry");
    });

    test("messages that are not its host's change nothing", async () => {
      const page = await answered();
      const shown = await page.locator("main").innerText();
      for (const message of [null, 7, "show", [], {}, { type: "constructor" }, { type: ["error"] }])
        await panel.postToPanel(message);
      await panel.postToPanel({ type: "webpackOk", message: offline.message });
      assert.equal(await page.locator("main").innerText(), shown);
      assert.deepEqual(panel.pageErrors, []);
    });

    test("ignores a state of another page", async () => {
      for (const kept of [7, [], { scroll: "far" }, { place: { kind: "nowhere" } }]) {
        await panel.open({ size: small, state: kept });
        await panel.page.locator("main").waitFor();
        assert.deepEqual(types(), ["ready"]);
      }
      assert.deepEqual(panel.pageErrors, []);
    });

    test("keys that are another's, or have nowhere to go back to, do nothing", async () => {
      const page = await answered({});
      const asked = types().length;
      for (const key of ["Alt+ArrowRight", "Control+j", "x"]) await page.keyboard.press(key);
      assert.equal(types().length, asked);
    });

    if (!isScrolled) return;
    /** Resolves after the page's own rest period after a scroll, by a timer of the same length that starts later. */
    const rested = () => panel.page.evaluate("new Promise((done) => void window.setTimeout(done, 200))");

    test("restores its scroll position once all content is there, then remembers the new one", async () => {
      const page = await answered({ ...state, scroll: 120 });
      await waitFor(async () => (await page.evaluate("window.scrollY")) === 120);
      await page.evaluate("new Promise((done) => { window.onscroll = done; window.scrollTo(0, 40); })");
      await rested();
      assert.deepEqual(await panel.savedState(), { ...state, scroll: 40 });
    });

    test("before it is answered it forgets no place", async () => {
      const page = await panel.open({ size: small, state: { ...state, scroll: 120 } });
      await page.locator("main").waitFor();
      await page.evaluate("window.dispatchEvent(new Event('scroll'))");
      await rested();
      assert.deepEqual(await panel.savedState(), { ...state, scroll: 120 });
    });
  });
}

describe("every page", () => {
  everyPage(ledgerPanel, {
    answer: ({ type }) => (["ready", "ask"].includes(type) ? overviewMessage(makeOverview(5)) : []),
    state: firstState,
    isScrolled: true,
  });
  everyPage(experimentsPanel, {
    answer: replyAsExperimentsHost({ view: makeComparison() }),
    state: experimentsState,
    isScrolled: true,
  });
  everyPage(guardPanel, {
    answer: ({ type }) => (type === "ready" ? [viewMessage(makeView()), guardRulesMessage()] : []),
    state: guardState,
    isScrolled: true,
  });
  everyPage(rulesPanel, {
    answer: ({ type }) => (type === "ready" ? rulesMessage(makeRules()) : []),
    state: { place: null, isOpen: false },
    isScrolled: false,
  });
  everyPage(economyPanel, {
    answer: ({ type }) => (type === "ready" ? economyMessage(makeEconomy()) : []),
    state: { days: 30, project: null },
    isScrolled: true,
  });
});
