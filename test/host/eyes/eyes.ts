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

/** The view of a person after installing the packed extension: one session that fills up, step by step. */
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

      test("no colour and no notification while compaction is far", async () => {
        grow(44_000, 124_000);
        assert.equal((await status(/62\s?%/u)).kind, "default");
      });

      test("a warning colour when it comes nearer, and no notification yet", async () => {
        grow(128_000, 140_000);
        assert.equal((await status(/70\s?%/u)).kind, "warning");
        await editor.workbench.page.waitForTimeout(late);
        assert.deepEqual(await editor.workbench.notifications(), []);
      });

      test("an error colour when it is at hand, and one notification that names the session", async () => {
        grow(144_000, 156_000);
        assert.equal((await status(/78\s?%/u)).kind, "error");
        await editor.workbench.waitForNotification(/\) compacts in fewer than 4 turns\./u, patience);
        grow(160_000, 160_000);
        await status(/80\s?%/u);
        assert.equal((await editor.workbench.notifications()).length, 1);
      });

      test("no colour once there is room again", async () => {
        grow(20_000, 20_000);
        assert.equal((await status(/10\s?%/u)).kind, "default");
        grow(128_000, 128_000);
        await status(/64\s?%/u);
      });

      test("a tooltip with the figures and where they come from", async () => {
        await editor.workbench.clearNotifications();
        const tooltip = await editor.workbench.hoverStatus(statusId);
        assert.match(tooltip, /128,000\sof\s200,000/u);
        assert.match(tooltip, /measured/u);
      });

      test("the session in its view", async () => {
        await editor.workbench.runCommand("Purser: Show Sessions");
        const view = editor.workbench.tree("Sessions");
        await view
          .getByText(/64\s?%/u)
          .first()
          .waitFor();
        const rows = await editor.workbench.treeRows("Sessions");
        assert.ok(rows.length >= 2, rows.join("\n"));
      });

      test("the Ledger's page, with what it shares with other panels", async () => {
        await editor.workbench.runCommand("Purser: Open Usage");
        const frame = editor.workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
        await frame.getByRole("table").first().waitFor({ state: "attached", timeout: patience });
      });
    },
  );
}
