import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { packTranslation } from "../../../scripts/build/packed-texts.ts";
import { pseudoBundle } from "../../../scripts/l10n/pseudo.ts";
import { sentencesOf } from "../../../scripts/l10n/sentences.ts";
import { openEditorWindow, statusId, type EditorWindow } from "../editor/window.ts";
import { outFolder, repository } from "../repository.ts";
import { makeTranscript } from "../transcript.ts";

/** An editor in another language, for which purser's translation is made up: accented, and 40 % longer. */
describe("in another language, as a person sees it", { timeout: 240_000 }, () => {
  let editor: EditorWindow;
  before(async () => {
    editor = await openEditorWindow({
      choice: "newest",
      language: "de",
      size: { width: 1000, height: 800 },
      prepare: async (scratch) => {
        const transcript = makeTranscript(scratch);
        for (const tokens of [40_000, 60_000, 80_000]) transcript.turn(tokens);
        return Promise.resolve();
      },
      change: (folder) => {
        const sentences = sentencesOf(repository).messages;
        const texts = { ...pseudoBundle(sentences), "{0}%": "{0} %" };
        const dist = join(folder, "dist");
        packTranslation({ folder: dist, language: "de", sentences, texts, quality: 4 });
        return Promise.resolve();
      },
    });
  });
  after(() => editor.close());
  const picture = (name: string) =>
    editor.workbench.screenshot(join(outFolder, "eyes", `language-${name}.png`));

  test("the status bar is short, and its tooltip is translated and not cut", async () => {
    const { workbench } = editor;
    const { text } = await workbench.waitForStatus(statusId, (status) => /\d/u.test(status.text));
    assert.match(text, /^\$\(dashboard\) \d+ %/u);
    const tooltip = await workbench.hoverStatus(statusId);
    await picture("tooltip");
    assert.match(tooltip, /\[Çöñţéẋţ/u);
    assert.doesNotMatch(tooltip, /\b(?:Context|Compaction|Next call|Open Usage)\b/u);
    const isCut = await workbench.page.evaluate(
      `[...document.querySelectorAll(".workbench-hover, .workbench-hover *")].some((each) => each.clientWidth > 0 && getComputedStyle(each).display !== "inline" && each.scrollWidth > each.clientWidth + 1)`,
    );
    assert.equal(isCut, false);
  });

  test("a panel has the editor's translation, and its figures", async () => {
    const { workbench } = editor;
    await workbench.runCommand("Purser: Open Usage");
    const panel = workbench.page.frameLocator("iframe.webview").frameLocator("iframe");
    await panel.getByRole("heading", { level: 1, name: /^\[[^A-Za-z]/u }).waitFor();
    await panel
      .getByText(/\d\.\d{3}/u)
      .first()
      .waitFor();
    assert.equal(await panel.locator("html").getAttribute("lang"), "de");
    await picture("ledger");
  });
});
