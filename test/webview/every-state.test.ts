import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { benchPanel, replyAsHost as replyAsBenchHost } from "./bench/open-panel.ts";
import { makeRunning as makeRunningBench, makeView as makeBench } from "./bench/fixtures.ts";
import { comparePanel, replyAsHost as replyAsCompareHost } from "./compare/open-panel.ts";
import { ask, makeArms, makeComparison, makeRunning, regression } from "./compare/fixtures.ts";
import { faultsOf, otherThemes } from "./faults.ts";
import { makeView, rulesMessage, viewMessage } from "./guard/fixtures.ts";
import { guardPanel } from "./guard/open-panel.ts";
import type { PanelKind, PanelPage } from "./panel-page.ts";
import { startPanel } from "./start-panel.ts";

interface State<FromPage> {
  readonly name: string;
  readonly state: unknown;
  readonly reply: (message: FromPage) => unknown;
}

/** A window of 1280 by 800, and the same at 200 %. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
];

/** Checks each state of a panel by every rule of axe, in four themes and at 200 %. */
function everyState<FromPage extends { readonly type: string }>(
  kind: PanelKind<FromPage>,
  states: readonly State<FromPage>[],
): void {
  describe(`${kind.title}: axe finds nothing`, { timeout: 240_000 }, () => {
    let panel: PanelPage<FromPage>;
    before(async () => {
      panel = await startPanel(kind);
    });
    after(() => panel.close());
    for (const theme of ["Dark Modern", ...otherThemes] as const)
      for (const { name, state, reply } of states)
        test(`${theme}: ${name}`, async () => {
          for (const size of sizes) {
            const page = await panel.open({ theme, size, state, reply });
            await page.locator("main[aria-busy=false] h1, main[aria-busy=false] h2").first().waitFor({
              state: "attached",
            });
            assert.deepEqual(await faultsOf(page), []);
            assert.equal(
              await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
              true,
            );
          }
          assert.deepEqual(panel.pageErrors, []);
        });
  });
}

const bench = { place: { kind: "bench", id: "b3" }, ask: null, scroll: 0 };
const run = (id: string) => ({
  place: { kind: "run", id: "b3", runId: id, beside: null },
  ask: null,
  scroll: 0,
});
const first = { ...makeBench(), history: [] };
everyState(benchPanel, [
  { name: "the form and all benchmarks", state: undefined, reply: replyAsBenchHost() },
  { name: "a benchmark", state: bench, reply: replyAsBenchHost() },
  { name: "the first of its kind", state: bench, reply: replyAsBenchHost({ view: first }) },
  { name: "one under way", state: bench, reply: replyAsBenchHost({ view: makeRunningBench() }) },
  { name: "a run", state: run(first.runs[0]?.id ?? ""), reply: replyAsBenchHost() },
]);

const comparison = { place: { kind: "comparison", id: "c1" }, ask: null, scroll: 0 };
everyState(comparePanel, [
  {
    name: "all, and a draft",
    state: { place: { kind: "home" }, ask, scroll: 0 },
    reply: replyAsCompareHost(),
  },
  { name: "a plan", state: { place: { kind: "plan" }, ask, scroll: 0 }, reply: replyAsCompareHost() },
  { name: "a verdict", state: comparison, reply: replyAsCompareHost() },
  {
    name: "a regression",
    state: comparison,
    reply: replyAsCompareHost(makeComparison({ comparison: { result: regression } })),
  },
  { name: "one under way", state: comparison, reply: replyAsCompareHost(makeRunning()) },
  { name: "several changes", state: comparison, reply: replyAsCompareHost(makeArms({ kind: "done" })) },
]);

everyState(guardPanel, [
  {
    name: "what it saved",
    state: undefined,
    reply: ({ type }) => (type === "ready" ? [viewMessage(makeView()), rulesMessage()] : []),
  },
]);
