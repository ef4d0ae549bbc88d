import { html, nothing, type TemplateResult } from "lit";
import { aboutDollars, percent, wholeNumber } from "../../../engine/base/text/format.ts";
import type { JobView } from "../../../engine/jobs/answers/bench.ts";
import { plural } from "../../components/figures.ts";
import { icon } from "../../components/icon.ts";
import { outside } from "../../components/outside.ts";

type Plan = NonNullable<JobView["plan"]>;

/** Above this share of the week's real work, measuring is called expensive. */
const muchOfWork = 0.1;

/** Lists what a plan would run and spend, and the smallest saving it could detect. */
export function planFacts(plan: Plan): TemplateResult {
  const { driver, runs, made, tokens, usd, expected, smallestSaving, tokenCap, metaCost, warnings } = plan;
  const rows: [string, unknown][] = [
    ["Runs", made > 0 ? `${wholeNumber(runs)}, of which ${wholeNumber(made)} are made` : wholeNumber(runs)],
  ];
  if (driver === "replay") rows.push(["Price", "Free, no model calls"]);
  else
    rows.push(
      [
        "New tokens",
        html`~${wholeNumber(tokens)}
          <span class="quiet">· ${expected.source}: ${outside(expected.because, 80)}</span>`,
      ],
      [
        "Price",
        usd === null ? "unknown: the model has no known price" : `${aboutDollars(usd)} at list prices`,
      ],
    );
  if (smallestSaving !== null)
    rows.push(["Smallest saving it can see", `~${plural(smallestSaving, "token a run", "tokens a run")}`]);
  if (tokenCap !== null) rows.push(["Cap", `${wholeNumber(tokenCap)} new tokens`]);
  if (metaCost !== null)
    rows.push([
      "Of the week's real work",
      `${percent(metaCost.share * 100)}${metaCost.share > muchOfWork ? ": much for measuring" : ""}`,
    ]);
  return html`<dl class="facts">
      ${rows.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd class="number">${value}</dd>`,
      )}
    </dl>
    ${
      warnings.length === 0
        ? nothing
        : html`<ul class="warnings">
            ${warnings.map((text) => html`<li><span class="sign">${icon("warning")}</span>${outside(text, 300)}</li>`)}
          </ul>`
    }`;
}
