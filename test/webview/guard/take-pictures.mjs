/** `node test/webview/guard/take-pictures.mjs`: takes screenshots of the Guard panel in every kind of theme, wide and narrow, into `out/guard`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import {
  addedException,
  decidedTrial,
  emptyView,
  makeBook,
  makeNet,
  makeView,
  rulesMessage,
  trialsMessage,
  viewMessage,
} from "./fixtures.ts";
import { guardPanel } from "./open-panel.ts";

const offline = { type: "offline", message: "Purser's service is not running." };
const problem = "line 12: exceptions.0.until: Invalid ISO date";
const on = makeView({ modes: { all: "on", families: { waste: "off", loops: "observe" } } });
const states = {
  waiting: [],
  empty: [viewMessage(emptyView()), rulesMessage(makeBook({ exceptions: [] }), false)],
  broken: [viewMessage(on), rulesMessage(makeBook({ problem }))],
  net: [viewMessage(makeView({ ...on, net: makeNet() })), rulesMessage()],
  offline: [offline],
  "trial-running": [viewMessage(on), rulesMessage(), trialsMessage({})],
  "trial-decided": [viewMessage(on), rulesMessage(), trialsMessage(decidedTrial)],
  "trial-stopped": [
    viewMessage(on),
    rulesMessage(),
    trialsMessage({
      ...decidedTrial,
      rules: decidedTrial.rules?.slice(0, 1),
      stoppedAt: Date.UTC(2026, 10, 20),
    }),
  ],
  "offline-known": [viewMessage(), rulesMessage(), offline],
};
const folder = join(outFolder, "guard");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(guardPanel);
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 400]) {
    const place = (name) => join(folder, `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`);
    const page = await panel.open({ theme, size: { width, height: 900 } });
    for (const message of [viewMessage(), rulesMessage()]) await panel.postToPanel(message);
    await page.getByRole("slider").waitFor();
    await page.screenshot({ path: place("home"), fullPage: true });
    await page.getByRole("button", { name: "Allow…" }).nth(1).click();
    await panel.postToPanel({ type: "excepted", hit: "toolu_1:git-push-force", added: addedException() });
    await page.getByRole("button", { name: "Allow…" }).nth(1).click();
    await page.getByRole("button", { name: /^Show Table/u }).click();
    await page.screenshot({ path: place("choices"), fullPage: true });
    await page.getByRole("button", { name: "git-push-force" }).first().click();
    await page.getByRole("heading", { name: "Fires on", exact: true }).waitFor();
    await page.screenshot({ path: place("rule"), fullPage: true });
    for (const [name, messages] of Object.entries(states)) {
      await panel.open({ theme, size: { width, height: 700 } });
      for (const message of messages) await panel.postToPanel(message);
      // A skeleton appears after 200 ms.
      await page.waitForTimeout(300);
      await page.screenshot({ path: place(name) });
    }
  }
}
await panel.close();
