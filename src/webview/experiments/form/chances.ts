import { html, nothing, type TemplateResult } from "lit";
import { percent, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { JobPlan } from "../../../engine/jobs/bench-answers.ts";
import "../../components/charts/curve.ts";
import { said } from "../../components/outside.ts";
import { absentCell, numberColumn } from "../../components/table/table-cells.ts";
import "../../components/section.ts";
import { dataTable, tableToggle } from "../../components/table/table.ts";
import { banner, notice } from "../../components/states.ts";
import { filled } from "../../components/sentences.ts";
import { provenanceNames } from "../../components/figures.ts";

type Power = NonNullable<JobPlan["power"]>;
type Curve = Power["curves"][number];

/** Parts of a page's context that a chart with a table needs. */
interface Toggles {
  readonly tables: ReadonlySet<string>;
  readonly actions: { toggleTable(chart: string): void };
}

/** Says how likely the whole budget shows a saving that is worth having. */
export function powerBanner({ savings, curves, together }: Power): TemplateResult | typeof nothing {
  const worth = savings[1];
  const chance = curves.find((curve) => curve.together === together)?.most.chances[1];
  if (worth === undefined || chance === undefined) return nothing;
  const saving = inPercent(worth);
  if (chance >= enough)
    return notice(t("Enough to decide: {0} for a saving of {1}.", chanceInWords(chance), saving), [], {
      iconName: "check",
    });
  return chance < poor
    ? banner(t("Too little to decide: {0} for a saving of {1}.", chanceInWords(chance), saving), null)
    : notice(t("It may not decide: {0} for a saving of {1}.", chanceInWords(chance), saving));
}

/** Chances below which a result is unlikely, and from which it is likely. */
const [poor, enough] = [0.5, 0.8];

/** `a chance of 1 in 3`. */
function chanceInWords(chance: number): string {
  const near = fractions.reduce((best, each) =>
    Math.abs(each[0] / each[1] - chance) < Math.abs(best[0] / best[1] - chance) ? each : best,
  );
  return chance < 0.05 ? t("hardly a chance") : t("a chance of {0} in {1}", near[0], near[1]);
}

const fractions: readonly (readonly [part: number, whole: number])[] = [
  [1, 10],
  [1, 5],
  [1, 4],
  [1, 3],
  [2, 5],
  [1, 2],
  [3, 5],
  [2, 3],
  [3, 4],
  [4, 5],
  [9, 10],
  [99, 100],
];

/** Shows what a budget would decide: an advice, the chance by budget as a table or a chart, and what it rests on. */
export function powerSection(power: Power, { tables, actions }: Toggles): TemplateResult {
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
  const isChart = tables.has("power");
  return html`<purser-section heading=${t("What It Would Decide")}
    ><div slot="actions">
      ${tableToggle(!isChart, t("chance by budget"), () => actions.toggleTable("power"))}
    </div>
    <div class="decides">
      ${advice.map((text) => html`<p>${said(text, 400)}</p>`)}
      <p class="quiet caption">
        ${describeChances(power)}
        ${isChart ? t("Each line reaches from the chance of one that saves {0} to that of one that saves {1}.", inPercent(least), inPercent(most)) : nothing}
      </p>
      ${
        !isChart
          ? powerTable(power, now)
          : html`<purser-dot-chart
              label=${chartLabel(power)}
              columnHeading=${budgetHeading(power)}
              .series=${[{ name: t("Saves {0}", inPercent(worth)), tone: 0 }]}
              .columns=${columns}
              .whiskers=${points.map(({ chances }) => ({ low: chances[0] ?? 0, high: chances[2] ?? 0 }))}
              .summary=${{ name: columns.at(-1)?.name ?? "", values: columns.at(-1)?.values ?? [] }}
              .format=${inPercent}
              .axisFormat=${inPercent}
              most="1"
            ></purser-dot-chart>`
      }
      ${confirmationLine(power)} ${trial === null ? nothing : trialTable(trial)}
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
