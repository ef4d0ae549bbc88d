import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage } from "../../../src/webview/economy/economy-protocol.ts";
import { faultsOf, otherThemes } from "../faults.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { economyMessage, failedSinceChange, makeEconomy, makeWake } from "./fixtures.ts";
import { economyPanel } from "./open-panel.ts";

describe("the Economy panel", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(economyPanel);
  });
  after(() => panel.close());

  const open = async (options: Parameters<typeof panel.open>[0] = {}, view = makeEconomy()) => {
    const page = await panel.open(options);
    await panel.postToPanel(economyMessage(view));
    await page.getByRole("heading", { name: "Your own sessions" }).waitFor();
    return page;
  };
  const row = (table: string, name: string) =>
    panel.page
      .getByRole("table", { name: table })
      .getByRole("row")
      .filter({ hasText: name })
      .first()
      .innerText();

  test("shows targets beside results, and raw beside normalized input", async () => {
    const page = await open();
    assert.deepEqual(panel.panelMessages, [{ type: "ready", days: 30, project: null }]);
    const main = await page.getByRole("main").innerText();
    assert.match(main, /76%\s+less input in a wake that reuses its session: 7,540 tokens, not 32,000/u);
    assert.match(await row("Targets", "Input saved"), /30%\s+76%\s+✓ Reached/u);
    assert.match(await row("Targets", "Later wakes"), /80%\s+67%\s+✗ Missed/u);
    assert.match(
      await row("Agents", "keeper"),
      /5\s+60%\s+32,000\s+7,540\s+79,080\s+\d+%\s+79,080\s+225,080\s+0\.16/u,
    );
    assert.match(await row("Agents", "tidier"), /1\s+0%\s+–/u);
    assert.match(await row("Your own sessions", "Claude Code"), /41\s+9\s+14\s+210,400\s+93%/u);
  });

  test("each wake with what woke it, its session and why, and how it ended", async () => {
    const page = await open();
    assert.match(
      await row("Wakes", "rotated"),
      /keeper\s+12\s+Timer\s+New: rotated, too old\s+Completed\s+31,000\s+60,000/u,
    );
    assert.match(await row("Wakes", "Quota"), /Reused\s+Quota or network\s+–\s+–/u);
    await page
      .getByRole("button", { name: /, session of keeper$/u })
      .first()
      .click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "openSession", id: "session-1" });
    await page.getByRole("table", { name: "Agents" }).getByRole("button", { name: "tidier" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), {
      type: "openAgent",
      project: "/tides/quay",
      agent: "tidier",
    });
  });

  test("before and after a change of an agent's file", async () => {
    await open();
    assert.match(await row("Changes of keeper", "5e17a0b2"), /4\s+15,360\s+−53%\s+100%/u);
    assert.match(await row("Changes of keeper", "00000000"), /1\s+33,000\s+–\s+100%/u);
  });

  test("compares the figures that must not become worse, before and after a change", async () => {
    await open();
    assert.match(
      await row("Guardrails of keeper", "succeed"),
      /Wakes that succeed\s+\S+\s+Too few wakes to say\s+0 \(−56 to \+79\)\s+100% \(21% to 100%; 1 of 1\)\s+100% \(44% to 100%; 3 of 3\)/u,
    );
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: failedSinceChange() })));
    await panel.page.getByRole("cell", { name: "Got worse" }).first().waitFor();
    assert.match(await row("Guardrails of keeper", "succeed"), /Got worse\s+−100 \(−100 to −66\)/u);
    assert.match(await row("Guardrails of keeper", "blocked"), /Got worse\s+\+100 \(\+66 to \+100\)/u);
    assert.match(await row("Guardrails of keeper", "Resumes"), /Too few wakes to say/u);
  });

  test("requests another time and project, and does not show late answers", async () => {
    const page = await open();
    await page.getByLabel("Period").selectOption("7 days");
    assert.deepEqual(panel.panelMessages.at(-1), { type: "narrow", days: 7, project: null });
    const single = makeEconomy({ wakes: [makeWake(1)] });
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: [] })));
    assert.match(await page.getByRole("main").innerText(), /76%/u);
    await panel.postToPanel(economyMessage(single, { days: 7 }));
    await page.getByText(/^1\s+wake$/u).waitFor();
    await page.getByLabel("Project").selectOption({ index: 2 });
    assert.deepEqual(panel.panelMessages.at(-1), { type: "narrow", days: 7, project: "/tides/quay" });
  });

  test("without wakes the own sessions are shown, and with nothing at all what would be here", async () => {
    const page = await open({}, makeEconomy({ wakes: [] }));
    assert.match(await page.getByRole("main").innerText(), /No agent was woken in the last 30 days/u);
    await panel.open();
    await panel.postToPanel(economyMessage(makeEconomy({ wakes: [], ordinary: [], projects: [] })));
    await page.getByRole("heading", { name: "Nothing to compare yet" }).waitFor();
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
