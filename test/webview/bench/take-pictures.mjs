/** `node test/webview/bench/take-pictures.mjs`: takes screenshots of the Bench panel in every kind of theme, wide and narrow, into `out/bench`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import { benchPanel, replyAsHost } from "./open-panel.ts";
import { makeView } from "./fixtures.ts";

const folder = join(outFolder, "bench");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(benchPanel);
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 400]) {
    const take = async (name) => {
      const start = `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`;
      await panel.page.screenshot({ path: join(folder, start), fullPage: true });
    };
    const open = (place, options = {}) =>
      panel.open({
        ...{ theme, size: { width, height: 900 }, reply: replyAsHost(options) },
        state: { place, ask: null, scroll: 0 },
      });
    const bench = { kind: "bench", id: "b3" };
    await open({ kind: "home" });
    await panel.page.getByRole("button", { name: /^Run 12 runs/u }).waitFor();
    await take("home");
    await open(bench, { isRunning: true });
    await panel.page.getByRole("table", { name: "Runs by task" }).waitFor();
    await take("running");
    await open(bench, { view: makeView() });
    await panel.page.getByRole("heading", { name: "History" }).waitFor();
    await take("done");
    const [one, other] = makeView().runs;
    await open({ kind: "run", id: "b3", runId: one.id, beside: { id: "b3", runId: other.id } });
    await panel.page.getByRole("table", { name: "Timeline of Run 2" }).waitFor();
    await take("run");
  }
}
await panel.close();
