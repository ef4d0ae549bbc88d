import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { firstState, type PanelMessage, type Place } from "../../../src/webview/bench/bench-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelOptions, PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { benchPanel, replyAsHost, type HostOptions } from "./open-panel.ts";
import { choicesMessage, jobsMessage, makeSummary, makeView } from "./fixtures.ts";

const home: Place = { kind: "home" };
const bench: Place = { kind: "bench", id: "b3" };

describe("everybody can read it", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(benchPanel);
  });
  after(() => panel.close());
  const open = async (place: Place, host: HostOptions = {}, more: PanelOptions<PanelMessage> = {}) =>
    panel.open({ reply: replyAsHost(host), state: { place, ask: null, scroll: 0 }, ...more });
  const faults = (rules?: readonly string[]) => faultsOf(panel.page, rules);
  const [one, other] = makeView().runs;
  const run: Place = {
    kind: "run",
    id: "b3",
    runId: one?.id ?? "",
    beside: { id: "b3", runId: other?.id ?? "" },
  };
  const pages = [
    { place: home, host: {}, heading: "Past benchmarks" },
    { place: bench, host: { isRunning: true }, heading: "Results" },
    { place: run, host: {}, heading: "Timeline" },
  ] as const;

  test("by every rule, on every page", async () => {
    for (const { place, host, heading } of pages) {
      const page = await open(place, host);
      await page.getByRole("heading", { name: heading }).first().waitFor();
      assert.deepEqual(await faults(), [], heading);
    }
    await panel.open({ state: firstState });
    await panel.postToPanel(choicesMessage({}, false));
    await panel.postToPanel(jobsMessage([makeSummary()]));
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
