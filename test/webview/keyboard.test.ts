import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { z } from "zod";
import { shownStates } from "./language/states.ts";
import type { PanelPage } from "./panel-page.ts";
import { startPanel } from "./start-panel.ts";

/** Remembers what reacts to a click, before the page's own script runs. */
const watchClicks = `(() => {
  const clickable = (window.clickable = new Set());
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (type === "click" && this instanceof Element) clickable.add(this);
    return addEventListener.call(this, type, ...rest);
  };
})()`;

/** Everything on the page that can be operated, in the order in which it is read. Runs in the page. */
const collect = `(() => {
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
  const found = [];
  const walk = (node) => {
    for (const child of node.children) {
      if (!child.checkVisibility({ visibilityProperty: true })) continue;
      if (child.matches(focusable) || window.clickable.has(child)) found.push(child);
      if (child.shadowRoot) walk(child.shadowRoot);
      walk(child);
    }
  };
  walk(document.body);
  window.operable = found.filter((each) => !each.disabled && each.closest("[inert]") === null);
  return window.operable.length;
})()`;

/** The focused element: its place in that order, and whether its focus is visible. Runs in the page. */
const focused = `(() => {
  let now = document.activeElement;
  while (now?.shadowRoot?.activeElement) now = now.shadowRoot.activeElement;
  if (now === null || now === document.body) return null;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(now);
  const isSeen = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  return { place: window.operable.indexOf(now), isSeen, text: now.outerHTML.slice(0, 160) };
})()`;

/**
 * The operable elements that were not reached. Within a list or a row of tabs, arrows lead on from the one that was. Whatever else reacts to a
 * click must contain, or belong to, something that was reached. Runs in the page.
 */
const missed = `((reached) => {
  const all = window.operable;
  const was = new Set(reached.map((place) => all[place]));
  const composite = "[role=tablist], [role=grid], [role=radiogroup], [role=toolbar]";
  const holds = (outer, inner) => {
    for (let node = inner; node; node = node.parentNode ?? node.host) if (node === outer) return true;
    return false;
  };
  return all.filter((each) => {
    if (was.has(each)) return false;
    if (each.tabIndex >= 0 && each.type !== "radio") return true;
    // Arrows lead through the radio buttons of one name.
    if (each.type === "radio" && [...was].some((one) => one.type === "radio" && one.name === each.name)) return false;
    // The lists of the Rules panel are one stop; a test of its own goes through them by the arrows.
    const isOption = (one) => one.matches("[role=option]");
    if (isOption(each) && [...was].some(isOption)) return false;
    for (let set = each.closest(composite); set !== null; set = set.parentElement?.closest(composite) ?? null)
      if ([...was].some((one) => holds(set, one))) return false;
    // Only moved to by the page itself.
    if (each.tabIndex < 0 && !window.clickable.has(each) && !each.matches("button, input, select, textarea")) return false;
    return ![...was].some((one) => holds(each, one) || holds(one, each));
  }).map((each) => each.outerHTML.slice(0, 160));
})`;

const focusedNow = z.object({ place: z.int(), isSeen: z.boolean(), text: z.string() }).nullable();

describe("each panel can be used by the keyboard alone", { timeout: 240_000 }, () => {
  const panels = new Map<string, Promise<PanelPage<{ readonly type: string }>>>();
  after(async () => {
    for (const panel of panels.values()) await (await panel).close();
  });
  const panelOf = async (kind: (typeof shownStates)[number]["kind"]) => {
    const panel = await startPanel(kind);
    await panel.page.addInitScript(watchClicks);
    return panel;
  };
  for (const { name, kind, state, reply } of shownStates)
    test(name, async () => {
      const starting = panels.get(kind.folder) ?? panelOf(kind);
      panels.set(kind.folder, starting);
      const panel = await starting;
      const page = await panel.open({ state, reply, linkedAs: "ledger" });
      await page
        .locator("main[aria-busy=false] h1, main[aria-busy=false] h2")
        .first()
        .waitFor({ state: "attached" });
      const count = z.int().parse(await page.evaluate(collect));
      const stops: number[] = [];
      // A page may begin with the focus within it. After its last stop, Tab leaves the page, and comes back to its first one.
      for (let press = 0; press <= 2 * count + 2; press += 1) {
        await page.keyboard.press("Tab");
        const now = focusedNow.parse(await page.evaluate(focused));
        if (now === null) continue;
        if (stops.includes(now.place)) break;
        assert.ok(now.place >= 0, `not known: ${now.text}`);
        assert.ok(now.isSeen, `not seen to have the focus: ${now.text}`);
        stops.push(now.place);
      }
      const first = stops.indexOf(Math.min(...stops));
      const inTurn = [...stops.slice(first), ...stops.slice(0, first)];
      assert.deepEqual(
        inTurn,
        stops.toSorted((one, other) => one - other),
        "in the order in which it is read",
      );
      assert.deepEqual(await page.evaluate(`${missed}(${JSON.stringify(stops)})`), []);
      assert.deepEqual(panel.pageErrors, []);
    });
});
