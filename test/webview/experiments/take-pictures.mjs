/** `node test/webview/experiments/take-pictures.mjs`: takes screenshots of the Experiments panel in every kind of theme, wide and narrow, into `out/experiments`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { comparisonPower } from "../../../src/engine/compare/run-compare.ts";
import { outFolder } from "../../host/repository.ts";
import { PanelPage } from "../panel-page.ts";
import { ask as benchAsk, choicesMessage, jobsMessage, makeView } from "./bench/fixtures.ts";
import { ask, makeArms, makeComparison, makeRunning, plan, regression } from "./compare/fixtures.ts";
import { experimentsPanel, replyAsHost, stateOf } from "./open-panel.ts";

const folder = join(outFolder, "experiments");
mkdirSync(folder, { recursive: true });
const only = process.argv[2];
const panel = await PanelPage.start(experimentsPanel);
const about = { weights: [1, 1, 1, 1], rounds: 12, changes: 1 };
const power = comparisonPower(about, { ...plan.expected, perRun: 60_000, spread: 0.3 });
for (const theme of ["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"]) {
  for (const width of [1100, 340]) {
    const shoot = async (name, state, options = {}, messages = []) => {
      if (only !== undefined && !name.startsWith(only)) return;
      const reply = options === null ? undefined : replyAsHost(options);
      await panel.open({ theme, size: { width, height: 900 }, ...(reply && { reply }), state });
      for (const message of messages) await panel.postToPanel(message);
      await panel.page.locator("h1").first().waitFor({ state: "attached" });
      const start = `${theme.toLowerCase().replaceAll(" ", "-")}-${width}-${name}.png`;
      await panel.page.screenshot({ path: join(folder, start), fullPage: true });
    };
    const bench = { kind: "job", id: "b3" };
    const comparison = { kind: "job", id: "c1" };
    await shoot("empty", stateOf({ kind: "home" }), null, [jobsMessage([])]);
    await shoot("list", stateOf({ kind: "home" }), { view: makeRunning() });
    await shoot("form-bench", stateOf({ kind: "form" }, benchAsk));
    await shoot("form-compare", stateOf({ kind: "form" }, ask), null, [
      choicesMessage(),
      { type: "plan", ask, plan: { ...plan, power }, problem: null },
    ]);
    await shoot("form-prompt", {
      ...stateOf({ kind: "form" }, ask),
      form: { ...stateOf({ kind: "form" }, ask).form, subject: "prompt" },
    });
    await shoot("form-rules", {
      ...stateOf({ kind: "form" }, ask),
      form: { ...stateOf({ kind: "form" }, ask).form, kind: "rules" },
    });
    await shoot("bench-running", stateOf(bench), { isRunning: true });
    await shoot("bench-done", stateOf(bench));
    const [one, other] = makeView().runs;
    await shoot(
      "run",
      stateOf({ kind: "run", id: "b3", runId: one.id, beside: { id: "b3", runId: other.id } }),
    );
    await shoot("compare-running", stateOf(comparison), { view: makeRunning() });
    await shoot("compare-done", stateOf(comparison), { view: makeComparison() });
    await shoot("compare-several", stateOf(comparison), { view: makeArms({ kind: "done" }) });
    await shoot("compare-regression", stateOf(comparison), {
      view: makeComparison({ comparison: { result: regression } }),
    });
  }
}
await panel.close();
