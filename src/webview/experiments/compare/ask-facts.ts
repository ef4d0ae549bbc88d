import { html, type TemplateResult } from "lit";
import { t } from "../../../engine/base/language.ts";
import type { CompareAsk } from "../../../engine/jobs/compare-answers.ts";
import { outside } from "../../components/outside.ts";
import { factList } from "../../components/states.ts";
import { driverName } from "../describe-jobs.ts";
import { changeFact } from "./describe-compare.ts";

/** Lists what a comparison changes, and what is the same on its sides. */
export function askFacts(ask: CompareAsk): TemplateResult {
  const { agent, change, others = [], model, effort, driver, shared } = ask;
  const isOfTwo = others.length === 0;
  const rows: [string, unknown][] = [
    [t("Agent"), outside(agent, 60)],
    ...[change, ...others].map((each, index): [string, unknown] => [
      others.length === 0 ? t("The change") : t("Change {0}", index + 1),
      outside(changeFact(each), 120),
    ]),
  ];
  if (change.kind === "without" && change.heading !== null)
    rows.push([
      t("Its text"),
      html`<details>
        <summary>${t("Show")}</summary>
        <pre tabindex="0">${outside(change.text, 4000)}</pre>
      </details>`,
    ]);
  rows.push([
    change.kind === "model" ? t("Against") : isOfTwo ? t("Model of both sides") : t("Model of all sides"),
    model === null ? t("the agent's own model") : outside(model, 60),
  ]);
  if (effort !== null && change.kind !== "effort")
    rows.push([isOfTwo ? t("Effort of both sides") : t("Effort of all sides"), outside(effort, 40)]);
  if (shared.length > 0) rows.push([t("Both sides have besides"), t("{0} files", shared.length)]);
  rows.push([t("Run with"), driver === "replay" ? t("Replay of recordings") : driverName(driver)]);
  return factList(rows);
}
