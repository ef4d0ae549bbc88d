import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openEditorWindow, statusId, type EditorWindow } from "../editor/window.ts";
import { outFolder } from "../repository.ts";
import { chosenModel, readyId, writeChatExtension } from "./chat-extension.ts";

const limit = 300_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine

/** A chat with a participant that reports the usage it is asked to, in a real VS Code. */
describe("VS Code's own chat", { timeout: limit }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      settings: { "chat.disableAIFeatures": false },
      develop: (scratch) => writeChatExtension(scratch.root),
    });
  });
  after(async () => {
    await editor.workbench.screenshot(join(outFolder, "eyes", "chat.png"));
    await editor.close();
  });

  const ask = async (query: string) => {
    const { workbench } = editor;
    await workbench.runCommand("Lamp: Ask");
    await workbench.answerInputBox("What to report", query, patience);
    const answers = workbench.page.locator(".interactive-response");
    await answers.filter({ hasText: query }).last().waitFor({ timeout: patience });
  };

  it("is as full in the status bar as VS Code's own indicator shows, as of when its file was written", async () => {
    const { workbench, server, scratch } = editor;
    await workbench.waitForStatus(readyId, () => true, patience);
    for (const [prompt, completion] of [
      [41_007, 420],
      [82_000, 800],
    ] as const) {
      await ask(`${prompt} ${completion}`);
      const label = workbench.page.locator(".chat-context-usage-widget .percentage-label").last();
      const own = Math.round(((prompt + completion) * 100) / chosenModel.window);
      await label.filter({ hasText: `${own}%` }).waitFor({ state: "attached", timeout: patience });
      const shown = Math.round((prompt * 100) / chosenModel.window);
      await workbench.waitForStatus(statusId, ({ text }) => text.includes(`${shown}%`), patience);
      assert.ok(own - shown <= 1, "VS Code adds the last answer");
    }
    const [file = ""] = globSync(
      join(dirname(server.userSettings), "workspaceStorage", "*", "chatSessions", "*.jsonl"),
    );
    const written = new Date(statSync(file).mtimeMs);
    const time = [written.getHours(), written.getMinutes(), written.getSeconds()];
    const tooltip = (await workbench.hoverStatus(statusId)).replaceAll("\u200b", "");
    assert.match(tooltip, /VS Code Chat/u);
    assert.ok(
      tooltip.includes(`as of ${time.map((part) => String(part).padStart(2, "0")).join(":")}`),
      tooltip,
    );
    assert.match(tooltip, /window official/u);
    assert.match(
      tooltip,
      /last calls only; for all: github\.copilot\.chat\.agentDebugLog\.fileLogging\.enabled/u,
    );
    assert.match(readFileSync(file, "utf8"), /"promptTokens"/u);
    const told = globSync(join(dirname(dirname(file)), "context-purser.context-purser", "chat.json"));
    const facts: unknown = JSON.parse(readFileSync(told[0] ?? "", "utf8"));
    assert.deepEqual(facts, {
      folder: scratch.workspace,
      models: { "lamp/small": 111_000, "lamp/large": 222_000 },
    });
  });
});
