/** `node test/webview/report/take-pictures.mjs`: takes screenshots of the Status panel in every kind of theme, wide and narrow, into `out/report`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import { emptyReport, makeAgent, makeReport, reportMessage } from "./fixtures.ts";
import { statusPanel } from "./open-panel.ts";

const offline = { type: "offline", message: "Purser's service is not running." };
const bare = { ...emptyReport(), agents: [makeAgent({ learned: [], suites: [] })] };
const states = {
  ...{ waiting: [], empty: [reportMessage(emptyReport())], bare: [reportMessage(bare)], offline: [offline] },
  "offline-known": [reportMessage(makeReport()), offline],
};
const folder = join(outFolder, "status");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(statusPanel);
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 400]) {
    const place = (name) => join(folder, `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`);
    const page = await panel.open({ theme, size: { width, height: 900 } });
    await panel.postToPanel(reportMessage(makeReport()));
    await page.getByRole("slider").waitFor();
    await page.screenshot({ path: place("report"), fullPage: true });
    await page.getByRole("button", { name: /^Show Table/u }).click();
    await page.screenshot({ path: place("tables"), fullPage: true });
    for (const [name, messages] of Object.entries(states)) {
      await panel.open({ theme, size: { width, height: 600 } });
      for (const message of messages) await panel.postToPanel(message);
      // A skeleton appears after 200 ms.
      await page.waitForTimeout(300);
      await page.screenshot({ path: place(name) });
    }
  }
}
await panel.close();
