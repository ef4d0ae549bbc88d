import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { firstState, type RelayCard } from "../../../src/webview/ledger/ledger-protocol.ts";
import { outFolder } from "../../host/repository.ts";
import { faultsOf } from "../faults.ts";
import { ledgerPanel, type PanelOptions, type PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeSession, sessionMessage, sessionWork } from "./session-fixture.ts";

const card: RelayCard = {
  id: "h3f9c1a7e",
  sessionId: "one",
  state: "edit",
  file: "2026-11-30 Fix booking dates.md",
  folder: "/home/mara/work/harbor",
  parts: {
    goal: "- Fix the booking dates: they are a day late in winter\n- Keep the API as it is",
    done: "- Edited src/booking.ts; its tests passed",
    decisions: "- It asked last: Shall old bookings be mended, too?",
    files: "- src/booking.ts: edited 3 times, checked since\n- src/dates.ts: edited once, not checked since",
    next: "Run the checks first. As seen before: test: npm test",
  },
  agents: [
    { word: "claude", name: "Claude Code" },
    { word: "codex", name: "Codex" },
  ],
  agent: "claude",
  tokens: 1400,
  carried: 121_300,
  here: 0.9,
  fresh: 0.2,
  isWorking: false,
  changed: "",
  problem: null,
  done: null,
  successor: null,
  gap: null,
};
const taken: RelayCard = {
  ...card,
  state: "taken",
  successor: { id: "next-1", name: "Claude Code · Fix booking dates", share: 4, saved: 0.7 },
  gap: {
    isReached: true,
    items: [
      { id: "000000000001", kind: "decision", text: "Never change the API", turn: 1, back: null },
      { id: "000000000002", kind: "file", text: "src/dates.ts", turn: 2, back: null },
      { id: "000000000003", kind: "convention", text: "test: npm test", turn: 2, back: "chosen" },
      { id: "000000000004", kind: "error", text: "RangeError: Invalid time value", turn: 2, back: "given" },
    ],
  },
};

describe("the card that hands a session over", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
    await mkdir(join(outFolder, "relay"), { recursive: true });
  });
  after(() => panel.close());
  const open = async (shown: RelayCard, options: PanelOptions = {}) => {
    const page = await panel.open({
      state: { ...firstState, sessionId: "one" },
      reply: (message) =>
        message.type === "ready"
          ? [
              sessionMessage(makeSession("one"), "one", { ...sessionWork, isEnding: true }),
              { type: "card", card: shown },
            ]
          : undefined,
      ...options,
    });
    await page.locator(".relay").waitFor();
    return page;
  };
  const last = () => panel.panelMessages.at(-1);

  test("has five parts to edit, and starts the chosen agent with them", async () => {
    const page = await open(card);
    const labels = await page.locator(".relay label > span").allInnerTexts();
    assert.deepEqual(labels, ["Goal", "Done", "Open decisions", "Files", "Next step"]);
    await page.getByText("10 more turns: ~$0.90 here, ~$0.20 in a new session.", { exact: false }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Hand Over…" }).count(), 0);
    await page.getByLabel("Goal").fill("Only winter");
    await page.getByLabel("Agent", { exact: true }).selectOption("codex");
    await page.getByRole("button", { name: "Start Codex" }).click();
    assert.deepEqual(last(), {
      type: "startCard",
      id: card.id,
      card: { ...card.parts, goal: "Only winter" },
      agent: "codex",
    });
    await panel.postToPanel({ type: "card", card: { ...card, state: "starting", agent: "codex" } });
    const starting = page.getByRole("button", { name: "Codex is starting…" });
    await starting.waitFor();
    assert.equal(await starting.isDisabled(), true);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("keeps the changes while the panel is hidden, and through updates of the page", async () => {
    const page = await open(card);
    await page.getByLabel("Next step").fill("Ask first");
    await panel.postToPanel(sessionMessage(makeSession("one"), "one", sessionWork));
    assert.equal(await page.getByLabel("Next step").inputValue(), "Ask first");
    const state = await panel.savedState();
    const again = await open(card, { state });
    assert.equal(await again.getByLabel("Next step").inputValue(), "Ask first");
    await again.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(last(), { type: "closeCard", id: card.id, card: { ...card.parts, next: "Ask first" } });
    await panel.postToPanel({ type: "card", card: null });
    await page.locator(".relay").waitFor({ state: "detached" });
    await again.getByRole("button", { name: "Hand Over…" }).waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("says what stands in the way, and copies the text where no agent is installed", async () => {
    const page = await open({
      ...card,
      agents: [],
      agent: null,
      isWorking: true,
      changed: "uncommitted files changed",
      problem: "The handover could not be started: the folder /x is gone",
    });
    for (const text of [
      "in the middle of a turn",
      "Since this was written: uncommitted files changed.",
      "the folder /x is gone.",
      "No agent is installed",
    ])
      await page.getByText(text, { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "Copy Text" }).click();
    assert.deepEqual(last(), { type: "copyCard", id: card.id, card: card.parts });
    await page.getByRole("button", { name: "Edit as File" }).click();
    assert.deepEqual(last(), { type: "openCard", id: card.id, card: card.parts });
    assert.deepEqual(panel.pageErrors, []);
  });

  test("shows afterwards what the new session does not know, and puts it back", async () => {
    const page = await open(taken);
    await page.getByText("4% · saved ~$0.70", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Put Back: Never change the API" }).click();
    assert.deepEqual(last(), { type: "putBackCard", id: card.id, items: ["000000000001"] });
    await page.locator(".relay").getByRole("button", { name: "Put Back All 2" }).click();
    assert.deepEqual(last(), { type: "putBackCard", id: card.id, items: ["000000000001", "000000000002"] });
    await page.locator(".relay").getByText("At the next prompt").waitFor();
    await page.getByRole("button", { name: "Claude Code · Fix booking dates" }).click();
    assert.deepEqual(last(), { type: "openSession", id: "next-1" });
    const unreached = { items: taken.gap?.items ?? [], isReached: false };
    const copied = await open({ ...taken, gap: unreached });
    await copied.getByText("Put Back copies the text, to paste into its prompt.", { exact: false }).waitFor();
    const nothing = await open({ ...taken, gap: { items: [], isReached: true } });
    await nothing.getByText("The new session knows everything that purser knows of the old one.").waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("is accessible and fits in each theme, and in 340 pixels", async () => {
    const themes = ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"] as const;
    for (const [name, shown] of [
      ["edit", card],
      ["taken", taken],
    ] as const)
      for (const theme of themes)
        for (const width of theme === "Dark Modern" ? [1000, 340] : [1000]) {
          const page = await open(shown, { theme, size: { width, height: 900 } });
          assert.deepEqual(await faultsOf(page), []);
          assert.equal(
            await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
            true,
            `${name} ${width}`,
          );
          const file = `${name}-${theme.toLowerCase().replaceAll(" ", "-")}-${width}.png`;
          await page.screenshot({ path: join(outFolder, "relay", file) });
        }
    assert.deepEqual(panel.pageErrors, []);
  });
});
