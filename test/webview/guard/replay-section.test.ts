import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { PanelMessage, ReplayState } from "../../../src/webview/guard/guard-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { replay, rulesMessage, viewMessage } from "./fixtures.ts";
import { guardPanel } from "./open-panel.ts";

const asked = { days: 30, family: null } as const;
describe("the Guard panel's replay", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(guardPanel);
  });
  after(() => panel.close());

  const open = async () => {
    const page = await panel.open();
    await panel.postToPanel(viewMessage());
    await panel.postToPanel(rulesMessage());
    return page.locator("#replay");
  };
  const stands = (state: ReplayState | null) => panel.postToPanel({ type: "replay", state });

  test("is requested with its time and family, shows its progress, and can be cancelled", async () => {
    const section = await open();
    await section.getByText("Runs nothing, asks no model, writes nothing.").waitFor();
    await section.getByRole("button", { name: "Replay", exact: true }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "play", asked });
    await stands({ kind: "playing", asked, far: { files: 10, of: 40 } });
    await section.getByRole("progressbar", { name: "10 of 40 files read" }).waitFor();
    await section.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "cancelPlay" });
    await stands(null);
    await section.getByRole("button", { name: "Replay", exact: true }).waitFor();
  });

  test("shows what rules would have done on which calls, what outputs would have saved, and what is left out", async () => {
    const section = await open();
    await stands({ kind: "done", asked, replay });
    const row = section.getByRole("row", { name: /delete-home/u });
    assert.match(await row.innerText(), /rm -rf ~ <img src=x>\s+Safety\s+ask you\s+2\s+1/u);
    const text = await section.innerText();
    assert.match(text, /1,840 tool calls of 12 sessions since/u);
    assert.match(text, /\$0\.12 at list price, without 1 output of models without a known price/u);
    assert.match(text, /Left out: 2 of 40 files, which cannot be read; rules of the family facts/iu);
    assert.match(text, /purser compare setting guard=on/u);
  });

  test("explains what to do if there is nothing, and why it failed", async () => {
    const section = await open();
    await stands({
      kind: "done",
      asked,
      replay: { ...replay, calls: 0, rules: [], leftOut: { files: 0, families: [] } },
    });
    await section.getByText("Choose a longer time, or come back once an agent has worked here.").waitFor();
    await stands({ kind: "failed", asked, message: "The replay failed: another replay is running" });
    await section.getByText("The replay failed: another replay is running").waitFor();
    await section.getByRole("button", { name: "Show Log" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "showLog" });
  });
});
