import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type PanelMessage, type Place } from "../../../src/webview/experiments/experiments-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelOptions, PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { experimentsPanel, replyAsHost, stateOf, type HostOptions } from "./open-panel.ts";
import { choicesMessage, makeView } from "./bench/fixtures.ts";
import { ask as askOfForm, makeComparison, makeRunning as makeComparing } from "./compare/fixtures.ts";

const home: Place = { kind: "home" };
const form: Place = { kind: "form" };
const comparison: Place = { kind: "job", id: "c1" };
const bench: Place = { kind: "job", id: "b3" };

describe("everybody can read it", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(experimentsPanel);
  });
  after(() => panel.close());
  const open = async (place: Place, host: HostOptions = {}, more: PanelOptions<PanelMessage> = {}) =>
    panel.open({
      reply: replyAsHost(host),
      state: stateOf(place, place.kind === "form" ? askOfForm : null),
      ...more,
    });
  const faults = (rules?: readonly string[]) => faultsOf(panel.page, rules);
  const [one, other] = makeView().runs;
  const run: Place = {
    kind: "run",
    id: "b3",
    runId: one?.id ?? "",
    beside: { id: "b3", runId: other?.id ?? "" },
  };
  const pages = [
    { place: home, host: {}, heading: "Experiments" },
    { place: form, host: {}, heading: "New Experiment" },
    { place: comparison, host: { view: makeComparison() }, heading: "Both sides" },
    { place: comparison, host: { view: makeComparing() }, heading: "Runs" },
    { place: bench, host: { isRunning: true }, heading: "Results" },
    { place: run, host: {}, heading: "Timeline" },
  ] as const;

  test("by every rule, on every page", async () => {
    for (const { place, host, heading } of pages) {
      const page = await open(place, host);
      await page.getByRole("heading", { name: heading }).first().waitFor();
      assert.deepEqual(await faults(), [], heading);
    }
    await panel.open({ state: stateOf(form) });
    await panel.postToPanel(choicesMessage({}, false));
    assert.deepEqual(await faults(), []);
  });

  for (const theme of otherThemes)
    test(`${theme}: text has enough contrast`, async () => {
      for (const { place, host, heading } of pages) {
        const page = await open(place, host, { theme });
        await page.getByRole("heading", { name: heading }).first().waitFor();
        assert.deepEqual(await faults(["color-contrast"]), [], heading);
      }
    });

  test("nothing is out of reach at 400 pixels, or at 200 % of the usual size", async () => {
    for (const width of [400, 320])
      for (const { place, host, heading } of pages) {
        const page = await open(place, host, { size: { width, height: 700 } });
        await page.getByRole("heading", { name: heading }).first().waitFor();
        assert.equal(
          await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
          true,
          `${heading}, ${width} pixels`,
        );
      }
  });
});
