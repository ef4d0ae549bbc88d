/** `node test/webview/take-pictures.mjs`: takes screenshots of the Ledger in every kind of theme and state, wide and narrow, into `out/panel`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../host/repository.ts";
import { emptyOverview, makeOverview, overviewMessage } from "./ledger/fixtures.ts";
import { ledgerPanel, PanelPage } from "./panel-page.ts";
import { makeSession, sessionMessage } from "./ledger/session-fixture.ts";

const problems = [{ path: "/home/mara/.claude/projects/x.jsonl", reason: "EACCES" }];
const reading = { freshness: { asOf: null, files: 400, done: 123, problems } };
const offline = { type: "offline", message: "Purser's service is not running." };
const error = { type: "error", about: "overview", message: "Usage could not be read: locked" };
/** States without figures, each with the messages that lead to it. */
const states = {
  waiting: [],
  empty: [overviewMessage(emptyOverview())],
  nothing: [overviewMessage({ ...emptyOverview(), choices: makeOverview(3).choices })],
  "reading-first": [overviewMessage(emptyOverview(), reading)],
  reading: [overviewMessage(makeOverview(5), reading)],
  error: [error],
  offline: [offline],
  "offline-known": [overviewMessage(makeOverview(5)), offline],
};

const folder = join(outFolder, "panel");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(ledgerPanel);
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 400]) {
    const place = (name) => join(folder, `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`);
    const page = await panel.open({ theme, size: { width, height: 900 } });
    await panel.postToPanel(overviewMessage(makeOverview(30)));
    const table = page.getByRole("table", { name: "Sessions" });
    await table.waitFor();
    await page.screenshot({ path: place("overview"), fullPage: true });
    await table.getByRole("button", { name: "Review of the booking form" }).first().click();
    await panel.postToPanel(sessionMessage(makeSession("5e550005-0000-4000-8000-000000000000")));
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await page.screenshot({ path: place("session"), fullPage: true });
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
