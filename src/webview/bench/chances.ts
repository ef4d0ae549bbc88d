import { html, nothing, type TemplateResult } from "lit";
import { percent, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { JobPlan } from "../../engine/jobs/bench-answers.ts";
import "../components/charts/curve.ts";
import { said } from "../components/outside.ts";
import { absentCell, numberColumn } from "../components/table/table-cells.ts";
import "../components/section.ts";
import { dataTable } from "../components/table/table.ts";
import { filled } from "../components/sentences.ts";
import { provenanceNames } from "../components/figures.ts";

type Power = NonNullable<JobPlan["power"]>;
type Curve = Power["curves"][number];

/** Shows what a budget would decide: an advice, the chance by budget as a chart and as a table, and what it rests on. */
export function powerSection(power: Power): TemplateResult {
  const { savings, curves, together, noise, passShare, trial, advice } = power;
  const now = curves.find((curve) => curve.together === together);
  if (now === undefined) return html``;
  const points = pointsOf(now);
  const isOfRule = isOfRules(power);
  const [least = 0, worth = 0, most = 0] = savings;
  const columns = points.map(({ tokens, chances }) => ({
    name: `${spentOn(power, shortNumber(tokens))} · ${savings.map((saving, index) => t("saves {0}: {1}", inPercent(saving), inPercent(chances[index] ?? 0))).join(", ")}`,
    tick: shortNumber(tokens),
    values: [chances[1] ?? 0],
  }));
  return html`<purser-section heading=${t("What It Would Decide")}
    ><div class="decides">
      ${advice.map((text) => html`<p>${said(text, 400)}</p>`)}
      <p class="quiet caption">
        ${describeChances(power)}
        ${t("Each line reaches from the chance of one that saves {0} to that of one that saves {1}.", inPercent(least), inPercent(most))}
      </p>
      <purser-dot-chart
        label=${chartLabel(power)}
        columnHeading=${budgetHeading(power)}
        .series=${[{ name: t("Saves {0}", inPercent(worth)), tone: 0 }]}
        .columns=${columns}
        .whiskers=${points.map(({ chances }) => ({ low: chances[0] ?? 0, high: chances[2] ?? 0 }))}
        .summary=${{ name: columns.at(-1)?.name ?? "", values: columns.at(-1)?.values ?? [] }}
        .format=${inPercent}
        .axisFormat=${inPercent}
        most="1"
      ></purser-dot-chart>
      ${powerTable(power, now)} ${confirmationLine(power)} ${trial === null ? nothing : trialTable(trial)}
      <p class="quiet">
        ${filled(
          isOfRule
            ? t(
                "Taken as given: runs of one task differ by about {0} ({1}: {2}), and {3} of runs pass, with a rule as often as without.",
              )
            : t(
                "Taken as given: runs of one task differ by about {0} ({1}: {2}), and {3} of runs pass, with a change as often as without.",
              ),
          inPercent(noise.value),
          provenanceNames[noise.source],
          said(noise.because, 80),
          inPercent(passShare),
        )}
      </p>
    </div></purser-section
  >`;
}

/** The chance by budget: of this measurement for each saving, and for the one that is worth having alone or with more rules. */
function powerTable(power: Power, now: Curve): TemplateResult {
  const { savings, curves, together } = power;
  const others = curves.filter((curve) => curve !== now);
  const worth = inPercent(savings[1] ?? 0);
  const headings = [
    numberColumn(budgetHeading(power)),
    ...savings.map((saving) => numberColumn(t("Saves {0}", inPercent(saving)))),
    ...others.map((curve) =>
      numberColumn(
        curve.together === 1 ? t("Alone") : t("{0} more", wholeNumber(curve.together - together)),
        describeCurve(power, curve, worth),
      ),
    ),
  ];
  const rows = pointsOf(now).map((point) => ({
    key: String(point.tokens),
    cells: [
      cell(shortNumber(point.tokens), point.tokens),
      ...point.chances.map((chance) => cell(inPercent(chance), chance)),
      ...others.map((curve) => {
        const chance = chanceFor(curve, point.tokens);
        return chance === null ? absentCell(t("Not possible")) : cell(inPercent(chance), chance);
      }),
    ],
  }));
  return dataTable({ label: t("Chance to decide by budget"), headings, rows, most: 12 });
}

function confirmationLine({ confirmation }: Power) {
  if (confirmation === undefined) return nothing;
  return html`<p class="quiet">
    ${t("Two or more that are found are then confirmed as a whole, in at most {0} rounds: {1} tokens more, for all of them.", wholeNumber(confirmation.rounds), shortNumber(confirmation.tokens))}
  </p>`;
}

function trialTable({ needed, noise, source, because }: NonNullable<Power["trial"]>): TemplateResult {
  const rows = needed.map(({ share, sessions, days }) => ({
    key: String(share),
    cells: [
      cell(inPercent(share), share),
      cell(wholeNumber(sessions), sessions),
      days === null ? absentCell() : cell(wholeNumber(days), days),
    ],
  }));
  const headings = [t("Saves"), t("Sessions of real work"), t("Days")].map((text) => numberColumn(text));
  return html`<p class="quiet caption">
      ${t("What a trial on real work would take instead: sessions of your own, each with the rules or without")}
    </p>
    ${dataTable({ label: t("A trial on real work"), headings, rows, most: 12 })}
    <p class="quiet">
      ${filled(
        t("Sessions of real work differ by about {0} ({1}: {2})."),
        inPercent(noise),
        provenanceNames[source],
        said(because, 120),
      )}
    </p>`;
}

/** A comparison has no trial, and shares its runs only with other changes. */
function isOfRules({ curves, trial, isOfArms = false }: Power): boolean {
  return trial !== null || (curves.length > 1 && !isOfArms);
}

/** The purpose of a budget: each of several changes, each of several rules, or the one change. */
function budgetOf(power: Power): "change" | "rule" | "whole" {
  if (power.isOfArms === true) return "change";
  return isOfRules(power) ? "rule" : "whole";
}

function spentOn(power: Power, tokens: string): string {
  const texts = {
    change: t("{0} tokens a change", tokens),
    rule: t("{0} tokens a rule", tokens),
    whole: t("{0} tokens", tokens),
  };
  return texts[budgetOf(power)];
}

function budgetHeading(power: Power): string {
  const texts = { change: t("Tokens a change"), rule: t("Tokens a rule"), whole: t("Tokens") };
  return texts[budgetOf(power)];
}

function chartLabel(power: Power): string {
  const texts = {
    change: t("Chance to decide, by new tokens a change"),
    rule: t("Chance to decide, by new tokens a rule"),
    whole: t("Chance to decide, by new tokens"),
  };
  return texts[budgetOf(power)];
}

function describeChances(power: Power): string {
  const worth = inPercent(power.savings[1] ?? 0);
  const texts = {
    change: t(
      "How likely a change that truly saves {0} is shown to save, for a budget of new tokens a change.",
      worth,
    ),
    rule: t(
      "How likely a rule that truly saves {0} is shown to save, for a budget of new tokens a rule.",
      worth,
    ),
    whole: t("How likely a change that truly saves {0} is shown to save, for a budget of new tokens.", worth),
  };
  return texts[budgetOf(power)];
}

function describeCurve(power: Power, { together }: Curve, worth: string): string {
  const isOfRule = isOfRules(power);
  if (together > 1)
    return isOfRule
      ? t("The chance for a rule that saves {0}, measured together with more candidates", worth)
      : t("The chance for a change that saves {0}, measured together with more candidates", worth);
  if (power.isOfArms === true)
    return t("The chance for a change that saves {0}, measured with as-is runs of its own", worth);
  return isOfRule
    ? t("The chance for a rule that saves {0}, measured alone", worth)
    : t("The chance for a change that saves {0}, measured alone", worth);
}

/** Budgets below the whole, and the whole. */
function pointsOf({ points, most }: Curve): Curve["points"] {
  return [...points.filter(({ rounds }) => rounds < most.rounds), most];
}

/** The chance for exactly this budget, or for the whole where the budget exceeds it; null where it is not computed. */
function chanceFor({ points, most }: Curve, tokens: number): number | null {
  const point = tokens >= most.tokens ? most : points.find((each) => each.tokens === tokens);
  return point?.chances[1] ?? null;
}

function cell(text: string, sort: number) {
  return { content: () => text, sort };
}

function inPercent(share: number): string {
  return percent(100 * share);
}
