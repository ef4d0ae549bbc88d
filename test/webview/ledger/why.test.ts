import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sentence } from "../../../src/engine/base/language.ts";
import { makeOverview, overviewMessage } from "./fixtures.ts";
import { makeSession, sessionMessage } from "./session-fixture.ts";
import { why, whyOfDays, whyOfSession } from "./why-fixture.ts";
import { ledgerPanel, type PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";

describe("why something cost what it did", { timeout: 240_000 }, () => {
  let panel: PanelPage;
  before(async () => {
    panel = await startPanel(ledgerPanel);
  });
  after(() => panel.close());
  const open = async (days = whyOfDays()) => {
    await panel.open({
      reply: (message) => {
        if (message.type === "ready" || message.type === "ask" || message.type === "closeSession") {
          const question = "question" in message ? message.question : undefined;
          return [overviewMessage(makeOverview(30), question === undefined ? {} : { question }), days];
        }
        return message.type === "openSession"
          ? [sessionMessage(makeSession(message.id), message.id), whyOfSession(message.id)]
          : undefined;
      },
    });
    await panel.page.getByRole("heading", { name: "Breakdown" }).waitFor();
    return panel.page;
  };
  const section = () => panel.page.locator(".why");
  const linesOf = async () => (await section().innerText()).split(/\s*\n\s*/u);

  test("the clauses are in order, add up, name their sessions and turns, and the best change", async () => {
    await open();
    await section().waitFor();
    assert.deepEqual(await linesOf(), [
      "71%",
      "4 files read again after a compaction",
      "Fix the winter time shift in the tide… · $18.74 · Turn 58, Turn 61, Turn 64",
      "18%",
      "More of Codex in the project harbor-map than usual: over 2 times as much",
      "Book berths by month · $3.20",
      "and 3 more sessions",
      "11%",
      "The rest, as usual",
      "What would have saved most: Hand over to a new session before the context is compacted (~$17.90)",
      "The price of those reads, and of carrying them",
      "Cost: $26.40 · Usual for a day: $11.20, the median of 38 · Without 3 calls of no known price",
    ]);
    assert.deepEqual(panel.pageErrors, []);
  });

  test("a turn opens its session at that turn", async () => {
    const page = await open();
    await section().getByRole("button", { name: "Turn 61" }).click();
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    const asked = panel.panelMessages.at(-1);
    assert.deepEqual(asked, { type: "openSession", id: why.clauses[0]?.proofs[0]?.session.id });
    await page.getByText("Turn 61 ·").first().waitFor();
    assert.deepEqual(await linesOf().then((lines) => lines.slice(0, 3)), [
      "71%",
      "4 files read again after a compaction",
      "Turn 9, Turn 12",
    ]);
    await section().getByRole("button", { name: "Turn 12" }).click();
    await page.getByText("Turn 12 ·").first().waitFor();
    assert.deepEqual(panel.pageErrors, []);
  });

  test("an answer to another question is not shown, nor one without a price", async () => {
    const page = await open(whyOfDays({}, { range: { kind: "yesterday" }, project: null, program: null }));
    assert.equal(await section().count(), 0);
    await page.getByRole("button", { name: "Yesterday" }).click();
    await section().waitFor();
    await panel.postToPanel(
      whyOfDays({ usd: null }, { range: { kind: "yesterday" }, project: null, program: null }),
    );
    await section().waitFor({ state: "detached" });
    assert.deepEqual(panel.pageErrors, []);
  });

  test("where nothing stands out, that is said", async () => {
    const text = sentence("Nothing stands out: all of it is as usual");
    await open(
      whyOfDays({ clauses: [], rest: { usd: 26.4, percent: 100, text }, change: null, unpriced: 0 }),
    );
    await section().waitFor();
    assert.deepEqual((await linesOf()).slice(0, 3), [
      "100%",
      "Nothing stands out: all of it is as usual",
      "No single change would have saved much.",
    ]);
  });
});
