import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openEditorWindow, statusId } from "../editor/window.ts";
import type { EditorWindow } from "../editor/window.ts";
import { editors } from "../pinned-packages.ts";
import type { EditorChoice } from "../pinned-packages.ts";
import { outFolder } from "../repository.ts";
import { makeTranscript } from "../transcript.ts";
import type { Transcript } from "../transcript.ts";

const limit = 180_000; // ms for everything
const patience = 40_000; // ms for one change to be seen, on a loaded machine

const late = 600; // ms in which an unwanted notification would come

/** What a person sees after installing the packed extension: one session that fills up, step by step. */
export function seeAsPerson(choice: EditorChoice): void {
  describe(
    `what a person sees in the ${choice} VS Code (${editors[choice].version})`,
    { timeout: limit },
    () => {
      let editor: EditorWindow;
      let transcript: Transcript;
      before(async () => {
        editor = await openEditorWindow({ choice });
        transcript = makeTranscript(editor.scratch);
      });
      after(async () => {
        await editor.workbench.page.mouse.move(640, 300);
        await editor.workbench.screenshot(join(outFolder, "eyes", `${choice}.png`));
        await editor.close();
      });
      /** Adds turns of 4,000 tokens each, slow growth that keeps compaction many turns away. */
      const grow = (from: number, to: number) => {
        for (let tokens = from; tokens <= to; tokens += 4_000) transcript.turn(tokens);
      };
      const status = (pattern: RegExp) =>
        editor.workbench.waitForStatus(statusId, ({ text }) => pattern.test(text), patience);

      test("a quiet item while there is no session", async () => {
        const { text, kind } = await status(/^\$\(dashboard\)$/u);
        assert.deepEqual({ text, kind }, { text: "$(dashboard)", kind: "default" });
      });

      test("the percentage of the first answer", async () => {
        transcript.turn(40_000);
        const { kind } = await status(/^\$\(dashboard\) 20\s?%/u);
        assert.equal(kind, "default");
      });

      test("a warning at half of the window, and a notification", async () => {
        grow(44_000, 104_000);
        assert.equal((await status(/52\s?%/u)).kind, "warning");
        const notification = await editor.workbench.waitForNotification(/52\s?% full/u, patience);
        assert.equal(notification.severity, "warning");
        assert.deepEqual(notification.actions, ["Open", "Mute for This Session", "Don't Show Again"]);
      });

      test("no second notification for the same threshold", async () => {
        grow(106_000, 108_000);
        await status(/53\s?%/u);
        await editor.workbench.page.waitForTimeout(late);
        assert.equal((await editor.workbench.notifications()).length, 1);
      });

      test("an error under two fifths of the window, and one more notification", async () => {
        grow(110_000, 124_000);
        assert.equal((await status(/61\s?%/u)).kind, "error");
        await editor.workbench.waitForNotification(/61\s?% full/u, patience);
        grow(126_000, 130_000);
        await status(/65\s?%/u);
        await editor.workbench.page.waitForTimeout(late);
        assert.equal((await editor.workbench.notifications()).length, 2);
      });

      test("a tooltip with the figures and where they come from", async () => {
        await editor.workbench.clearNotifications();
        const tooltip = await editor.workbench.hoverStatus(statusId);
        assert.match(tooltip, /130,000\sof\s200,000/u);
        assert.match(tooltip, /measured/u);
      });

      test("the session in its view", async () => {
        await editor.workbench.runCommand("Purser: Show Sessions");
        const view = editor.workbench.tree("Sessions");
        await view
          .getByText(/65\s?%/u)
          .first()
          .waitFor();
        const rows = await editor.workbench.treeRows("Sessions");
        assert.ok(rows.length >= 2, rows.join("\n"));
      });

      test("the Ledger's page, with what it shares with other panels", async () => {
        await editor.workbench.runCommand("Purser: Open Ledger");
        const frame = editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
        await frame.getByRole("table").first().waitFor({ state: "attached", timeout: patience });
      });
    },
  );
}
