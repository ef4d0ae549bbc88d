import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  ask as benchAsk,
  makeRunning as makeRunningBench,
  makeView as makeBench,
} from "./experiments/bench/fixtures.ts";
import { ask, makeArms, makeComparison, makeRunning, regression } from "./experiments/compare/fixtures.ts";
import { experimentsPanel, replyAsHost, stateOf } from "./experiments/open-panel.ts";
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

const bench = stateOf({ kind: "job", id: "b3" });
const comparison = stateOf({ kind: "job", id: "c1" });
const form = stateOf({ kind: "form" }, ask);
const first = { ...makeBench(), history: [] };
const run = stateOf({ kind: "run", id: "b3", runId: first.runs[0]?.id ?? "", beside: null });
everyState(experimentsPanel, [
  { name: "all", state: stateOf({ kind: "home" }), reply: replyAsHost({ view: makeComparison() }) },
  { name: "the form of a benchmark", state: stateOf({ kind: "form" }, benchAsk), reply: replyAsHost() },
  { name: "the form of a comparison", state: form, reply: replyAsHost() },
  {
    name: "the form of rules",
    state: { ...form, form: { ...form.form, kind: "rules" } },
    reply: replyAsHost(),
  },
  { name: "a benchmark", state: bench, reply: replyAsHost() },
  { name: "the first of its kind", state: bench, reply: replyAsHost({ view: first }) },
  { name: "a benchmark under way", state: bench, reply: replyAsHost({ view: makeRunningBench() }) },
  { name: "a run", state: run, reply: replyAsHost() },
  { name: "a verdict", state: comparison, reply: replyAsHost({ view: makeComparison() }) },
  {
    name: "a regression",
    state: comparison,
    reply: replyAsHost({ view: makeComparison({ comparison: { result: regression } }) }),
  },
  { name: "a comparison under way", state: comparison, reply: replyAsHost({ view: makeRunning() }) },
  { name: "several changes", state: comparison, reply: replyAsHost({ view: makeArms() }) },
]);

everyState(guardPanel, [
  {
    name: "what it saved",
    state: undefined,
    reply: ({ type }) => (type === "ready" ? [viewMessage(makeView()), rulesMessage()] : []),
  },
]);
