/**
 * `node test/webview/rules/take-pictures.mjs`: takes screenshots of the Rules panel in every kind of theme and width, with few rules and many, into `out/rules`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import {
  evidenceMessage,
  makeEvidence,
  makeManyRules,
  makeRules,
  makeSelection,
  makeTogether,
  offerMessage,
  planMessage,
  rulesMessage,
  selectAsk,
  selectionsMessage,
} from "./fixtures.ts";
import { rulesPanel } from "./open-panel.ts";

const folder = join(outFolder, "rules");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(rulesPanel);
/** `zoomed`: a window of 1280 by 800 at 200 %. */
const sizes = {
  1280: { width: 1280, height: 800 },
  560: { width: 560, height: 800 },
  340: { width: 340, height: 700 },
  zoomed: { width: 640, height: 400 },
};
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const [name, size] of Object.entries(sizes)) {
    const isNarrow = size.width <= 640;
    const take = (page, what) =>
      page.screenshot({
        path: join(folder, `${theme.toLowerCase().replaceAll(" ", "-")}-${name}-${what}.png`),
      });
    const page = await panel.open({ theme, size });
    const go = async (option) => {
      if (isNarrow) await page.keyboard.press("Escape");
      await option.click();
    };
    const options = page.getByRole("navigation").getByRole("option");
    await panel.postToPanel(rulesMessage(makeRules()));
    await options.first().waitFor();
    await take(page, "list");
    await options.first().click();
    await panel.postToPanel(evidenceMessage("r0000000002", makeEvidence()));
    await page.getByRole("img").waitFor();
    await take(page, "passed");
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await take(page, "candidate");
    await page.keyboard.press("Escape");
    await go(page.getByRole("tab", { name: /^In Memory/u }));
    await take(page, "in-memory");
    await page.getByRole("button", { name: "Memory of test-writer" }).click();
    await take(page, "memory");
    await go(page.getByRole("button", { name: "Measure Rules…" }).first());
    await panel.postToPanel(offerMessage());
    await panel.postToPanel(planMessage(selectAsk));
    await page.getByRole("button", { name: "Measure 2 Rules" }).waitFor();
    await take(page, "plan");
    await panel.postToPanel(selectionsMessage([makeSelection()]));
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await take(page, "measuring");
    await panel.postToPanel(selectionsMessage([makeTogether()]));
    await page.getByText("Measured with the same runs").waitFor();
    await take(page, "together");
    for (const count of [0, 1, 20, 200]) {
      await panel.open({ theme, size });
      const view = makeManyRules(count);
      await panel.postToPanel(rulesMessage(view));
      await page
        .getByRole(count === 0 ? "heading" : "tab")
        .first()
        .waitFor();
      if (count > 2) {
        await options.nth(Math.floor(count / 3)).click();
        await page.keyboard.press("a");
        const { id } = panel.panelMessages.findLast(({ type }) => type === "act");
        const rules = view.rules.map((rule) =>
          rule.id === id ? { ...rule, status: "approved", canUndo: true } : rule,
        );
        await panel.postToPanel(rulesMessage({ ...view, rules }));
        await panel.postToPanel({ type: "done", message: "approved", follow: null });
        await page.getByRole("group", { name: "What you decided last" }).waitFor();
      }
      await take(page, `${count}-rules`);
      if (count === 200 && isNarrow) {
        await page.keyboard.press("Escape");
        await page.keyboard.press("?");
        await take(page, "200-rules-list");
      }
    }
    await page.keyboard.press("?");
    await take(page, "keys");
  }
}
await panel.close();
