/** `node test/webview/rules/take-pictures.mjs`: Rule Review in every kind of theme, wide and narrow, as pictures in `out/rules` to look at. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import {
  evidenceMessage,
  makeEvidence,
  makeRules,
  makeSelection,
  offerMessage,
  planMessage,
  rulesMessage,
  selectAsk,
  selectionsMessage,
} from "./fixtures.ts";
import { rulesPanel } from "./rules-panel.ts";

const folder = join(outFolder, "rules");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(rulesPanel);
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 400]) {
    const place = (name) => join(folder, `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`);
    const page = await panel.open({ theme, size: { width, height: 900 } });
    await panel.say(rulesMessage(makeRules()));
    await panel.say(evidenceMessage("r0000000002", makeEvidence()));
    await page.getByRole("img").waitFor();
    await page.screenshot({ path: place("passed"), fullPage: true });
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.screenshot({ path: place("candidate"), fullPage: true });
    await page.keyboard.press("Escape");
    await page.getByRole("navigation").getByRole("button", { name: "test-writer", exact: true }).click();
    await page.screenshot({ path: place("memory"), fullPage: true });
    await page.getByRole("button", { name: "Measure test-writer" }).click();
    await panel.say(offerMessage());
    await panel.say(planMessage(selectAsk));
    await page.getByRole("button", { name: "Measure 2 Rules" }).waitFor();
    await page.screenshot({ path: place("plan"), fullPage: true });
    await panel.say(selectionsMessage([makeSelection()]));
    await page.getByRole("button", { name: "Cancel" }).waitFor();
    await page.screenshot({ path: place("measuring"), fullPage: true });
    await panel.open({ theme, size: { width, height: 600 } });
    await panel.say(rulesMessage({ rules: [], memories: [] }));
    await page.screenshot({ path: place("empty") });
  }
}
await panel.close();
