import { html, nothing, type TemplateResult } from "lit";
import { t, plural } from "../../../engine/base/language.ts";
import type { BenchChoices, JobView } from "../../../engine/jobs/bench-answers.ts";
import { aboutDollars, estimatedNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { icon } from "../../components/icon.ts";
import { said } from "../../components/outside.ts";
import { factList, notice } from "../../components/states.ts";
import { describeInstall } from "../describe-jobs.ts";
import { provenanceNames } from "../../components/figures.ts";

type Plan = NonNullable<JobView["plan"]>;

/** Lists what a plan would run and spend, and the smallest saving it could detect. */
export function planFacts(plan: Plan): TemplateResult {
  const { driver, runs, made, tokens, usd, expected, smallestSaving, tokenCap, warnings } = plan;
  const rows: [string, unknown][] = [
    [
      t("Runs"),
      made > 0 ? t("{0}, of which {1} are made", wholeNumber(runs), wholeNumber(made)) : wholeNumber(runs),
    ],
  ];
  if (driver === "replay") rows.push([t("Price"), t("Free, no model calls")]);
  else
    rows.push(
      [
        t("New tokens"),
        html`~${estimatedNumber(tokens)}
          <span class="quiet">· ${provenanceNames[expected.source]}: ${said(expected.because, 80)}</span>`,
      ],
      [
        t("Price"),
        usd === null
          ? t("unknown: the model has no known price")
          : t("{0} at list prices", aboutDollars(usd)),
      ],
    );
  if (smallestSaving !== null)
    rows.push([
      t("Smallest saving it can see"),
      plural(smallestSaving, t("~1 token a run"), t("~{0} tokens a run", estimatedNumber(smallestSaving))),
    ]);
  if (tokenCap !== null) rows.push([t("Cap"), t("{0} new tokens", wholeNumber(tokenCap))]);
  return html`${factList(rows, "number")}
  ${
    warnings.length === 0
      ? nothing
      : html`<ul class="warnings">
          ${warnings.map((text) => html`<li><span class="sign">${icon("warning")}</span>${said(text, 300)}</li>`)}
        </ul>`
  }`;
}

/**
 * Explains what is missing when no agent can run, and offers the recordings instead. Shows nothing if any agent is ready:
 * then the others are not needed. @param tryIt chooses the recordings; null if they are already chosen
 */
export function missingAgents(
  drivers: BenchChoices["drivers"],
  tryIt: (() => void) | null,
): TemplateResult | typeof nothing {
  const agents = drivers.filter(({ name }) => name !== "replay");
  if (agents.some(({ isReady }) => isReady)) return nothing;
  const canTry = tryIt !== null && drivers.some(({ name, isReady }) => name === "replay" && isReady);
  const reasons = agents.flatMap(({ problem }) => problem ?? []);
  return html`<div class="banner">
    ${icon("warning")}
    <p>${t("No agent is ready.")} ${reasons.map((reason) => html`${said(reason, 240)}. `)}</p>
    ${
      canTry
        ? html`<button type="button" class="button" @click=${tryIt}>
            ${t("Try with Recordings (Demo)")}
          </button>`
        : nothing
    }
  </div>`;
}

/** Says what is downloaded when the plan is started; nothing if it is there already. */
export function installNotice({ install }: Plan): TemplateResult | typeof nothing {
  return install === null ? nothing : notice(describeInstall(install));
}
