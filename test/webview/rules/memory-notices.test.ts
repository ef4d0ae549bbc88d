import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { missingOf } from "../../../src/engine/rules/needs.ts";
import type { PanelMessage } from "../../../src/webview/rules/rules-protocol.ts";
import type { PanelPage } from "../panel-page.ts";
import { startPanel } from "../start-panel.ts";
import { makeMemory, makeRules, rulesMessage } from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

describe("Rules panel and the memories that rules go into", { timeout: 240_000 }, () => {
  let panel: PanelPage<PanelMessage>;
  before(async () => {
    panel = await startPanel(rulesPanel);
  });
  after(() => panel.close());

  const open = async (view = makeRules()) => {
    const page = await panel.open();
    await panel.postToPanel(rulesMessage(view));
    await page.getByRole("navigation", { name: "Rules" }).waitFor();
    return page;
  };
  const passed = (view: ReturnType<typeof makeRules>) =>
    view.rules.find(({ status }) => status === "measured");

  test("names the file and line before a rule is let in", async () => {
    const view = makeRules();
    const memories = [makeMemory({ state: "ours" })];
    const page = await open({ ...view, memories });
    const rule = passed(view);
    assert.ok(rule !== undefined);
    await page
      .getByRole("navigation")
      .getByRole("option", { name: rule.sentence.slice(0, 20) })
      .click();
    const notice = page.locator(".banner.info", { hasText: "Adding it writes this line into" });
    await notice.waitFor();
    const text = await notice.innerText();
    assert.ok(text.includes("/home/mara/.claude/agent-memory/test-writer/MEMORY.md"), text);
    assert.ok(text.includes(`- ${rule.sentence}`) || text.includes(`) ${rule.sentence}`), text);
    // A file that is not purser's stays unchanged.
    await panel.postToPanel(rulesMessage({ ...view, memories: [makeMemory()] }));
    await page.locator(".banner.info", { hasText: "stays as it is until you decide" }).waitFor();
  });

  test("reports an agent that no rule reaches, and offers the edit if it is one line", async () => {
    const page = await open();
    const [missing] = missingOf([{ kind: "no-memory", file: "/home/mara/.claude/agents/test-writer.md" }]);
    await panel.postToPanel({ type: "unreached", agents: [{ agent: "test-writer", ...missing }] });
    const banner = page.locator(".banner", { hasText: "No rule reaches this agent." });
    await banner.waitFor();
    assert.match(
      await banner.innerText(),
      /memory: user to \/home\/mara\/\.claude\/agents\/test-writer\.md/u,
    );
    await banner.getByRole("button", { name: "Add memory: user" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "addMemory", agent: "test-writer" });
    const [unknown] = missingOf([{ kind: "no-definition" }]);
    await panel.postToPanel({ type: "unreached", agents: [{ agent: "test-writer", ...unknown }] });
    await page.getByText("Claude Code has no definition of this agent here").waitFor();
    assert.equal(await page.getByRole("button", { name: "Add memory: user" }).count(), 0);
    await panel.postToPanel({ type: "unreached", agents: [] });
    await banner.waitFor({ state: "detached" });
  });

  test("no rule can be approved where nothing comes of it; the main conversation's file is chosen by a button", async () => {
    const view = makeRules();
    const page = await open({
      ...view,
      rules: view.rules.map((rule) => ({ ...rule, agent: "main" })),
      memories: [],
    });
    const approve = page.getByRole("button", { name: /^Add to the Agent's Memory/u });
    await approve.waitFor();
    const post = (kind: "main" | "no-folder" | "no-memory") =>
      panel.postToPanel({
        type: "unreached",
        agents: missingOf([kind === "no-memory" ? { kind, file: "/a/x.md" } : { kind }]).map((missing) => ({
          ...missing,
          agent: "main",
        })),
      });
    await post("main");
    await page.getByRole("button", { name: "Choose a File…" }).click();
    assert.deepEqual(panel.panelMessages.at(-1), { type: "chooseMainFile" });
    assert.equal(await approve.count(), 1, "approving asks for the file");
    for (const kind of ["no-folder", "no-memory"] as const) {
      await post(kind);
      await approve.waitFor({ state: "detached" });
      const before = panel.panelMessages.length;
      await page.keyboard.press("a");
      assert.equal(panel.panelMessages.length, before, kind);
      await post("main");
      await approve.waitFor();
    }
  });
});
