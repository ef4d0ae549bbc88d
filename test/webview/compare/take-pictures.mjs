/** `node test/webview/compare/take-pictures.mjs`: takes screenshots of the Compare panel in every kind of theme, wide and narrow, into `out/compare`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import { comparePanel, replyAsHost } from "./open-panel.ts";
import { ask, makeArms, makeComparison, makeRunning, regression } from "./fixtures.ts";

const folder = join(outFolder, "compare");
mkdirSync(folder, { recursive: true });
const panel = await PanelPage.start(comparePanel);
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 400]) {
    const shoot = async (name, place, view) => {
      const reply = replyAsHost(view);
      await panel.open({ theme, size: { width, height: 900 }, reply, state: { place, ask, scroll: 0 } });
      await panel.page.getByRole("heading", { level: 2 }).first().waitFor();
      const start = `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`;
      await panel.page.screenshot({ path: join(folder, start), fullPage: true });
    };
    const comparison = { kind: "comparison", id: "c1" };
    await shoot("home", { kind: "home" });
    await shoot("plan", { kind: "plan" });
    await shoot("running", comparison, makeRunning());
    await shoot("done", comparison, makeComparison());
    await shoot("several", comparison, makeArms());
    await shoot("several-done", comparison, makeArms({ kind: "done" }));
    await shoot("regression", comparison, makeComparison({ comparison: { result: regression } }));
  }
}
await panel.close();
