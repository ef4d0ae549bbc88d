import { html, nothing, type TemplateResult } from "lit";
import { percent, shortNumber, wholeNumber } from "../../../engine/base/text/format.ts";
import type { JobPlan } from "../../../engine/jobs/answers/bench.ts";
import "../../components/charts/dot.ts";
import { outside } from "../../components/outside.ts";
import { absentCell } from "../../components/table/cells.ts";
import "../../components/section.ts";
import "../../components/table/table.ts";

type Power = NonNullable<JobPlan["power"]>;
type Curve = Power["curves"][number];

/** Shows what a budget would decide: an advice, the chance by budget as a chart and as a table, and what it rests on. */
export function powerSection(power: Power): TemplateResult {
  const { savings, curves, together, noise, passShare, trial, advice } = power;
  const now = curves.find((curve) => curve.together === together);
  if (now === undefined) return html``;
  const points = pointsOf(now);
  const unit = `tokens${unitOf(power)}`;
  const what = isOfRules(power) ? "a rule" : "a change";
  const [least = 0, worth = 0, most = 0] = savings;
  const columns = points.map(({ tokens, chances }) => ({
    name: `${shortNumber(tokens)} ${unit} · ${savings.map((saving, index) => `saves ${inPercent(saving)}: ${inPercent(chances[index] ?? 0)}`).join(", ")}`,
    tick: shortNumber(tokens),
    values: [chances[1] ?? 0],
  }));
  return html`<purser-section heading="What It Would Decide"
    ><div class="decides">
      ${advice.map((text) => html`<p>${outside(text, 400)}</p>`)}
      <p class="quiet caption">
        How likely ${what} that truly saves ${inPercent(worth)} is shown to save, for a budget of new ${unit}.
        Each line reaches from the chance of one that saves ${inPercent(least)} to that of one that saves
        ${inPercent(most)}.
      </p>
      <purser-dot-chart
        label="Chance to decide, by new ${unit}"
        columnHeading="Tokens${unitOf(power)}"
        .series=${[{ name: `Saves ${inPercent(worth)}`, tone: 0 }]}
        .columns=${columns}
        .whiskers=${points.map(({ chances }) => ({ low: chances[0] ?? 0, high: chances[2] ?? 0 }))}
        .summary=${{ name: columns.at(-1)?.name ?? "", values: columns.at(-1)?.values ?? [] }}
        .format=${inPercent}
        .axisFormat=${inPercent}
        most="1"
      ></purser-dot-chart>
      ${powerTable(power, now)} ${confirmationLine(power)} ${trial === null ? nothing : trialTable(trial)}
      <p class="quiet">
        Taken as given: runs of one task differ by about ${inPercent(noise.value)} (${noise.source}:
        ${outside(noise.because, 80)}), and ${inPercent(passShare)} of runs pass, with ${what} as often as
        without.
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
    { text: `Tokens${unitOf(power)}`, isNumber: true },
    ...savings.map((saving) => ({ text: `Saves ${inPercent(saving)}`, isNumber: true })),
    ...others.map((curve) => ({
      text: curve.together === 1 ? "Alone" : `${wholeNumber(curve.together - together)} more`,
      isNumber: true,
      title: `The chance for ${isOfRules(power) ? "a rule" : "a change"} that saves ${worth}, measured ${howMeasured(power, curve)}`,
    })),
  ];
  const rows = pointsOf(now).map((point) => ({
    key: String(point.tokens),
    cells: [
      cell(shortNumber(point.tokens), point.tokens),
      ...point.chances.map((chance) => cell(inPercent(chance), chance)),
      ...others.map((curve) => {
        const chance = chanceFor(curve, point.tokens);
        return chance === null ? absentCell("Not possible") : cell(inPercent(chance), chance);
      }),
    ],
  }));
  return html`<purser-table
    label="Chance to decide by budget"
    .headings=${headings}
    .rows=${rows}
    most="12"
  ></purser-table>`;
}

function confirmationLine({ confirmation }: Power) {
  if (confirmation === undefined) return nothing;
  return html`<p class="quiet">
    Two or more that are found are then confirmed as a whole, in at most ${wholeNumber(confirmation.rounds)}
    rounds: ${shortNumber(confirmation.tokens)} tokens more, for all of them.
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
  const headings = ["Saves", "Sessions of real work", "Days"].map((text) => ({ text, isNumber: true }));
  return html`<p class="quiet caption">
      What a trial on real work would take instead: sessions of your own, each with the rules or without
    </p>
    <purser-table label="A trial on real work" .headings=${headings} .rows=${rows} most="12"></purser-table>
    <p class="quiet">
      Sessions of real work differ by about ${inPercent(noise)} (${source}: ${outside(because, 120)}).
    </p>`;
}

/** A comparison has no trial, and shares its runs only with other changes. */
function isOfRules({ curves, trial, isOfArms = false }: Power): boolean {
  return trial !== null || (curves.length > 1 && !isOfArms);
}

function unitOf(power: Power): string {
  if (power.isOfArms === true) return " a change";
  return isOfRules(power) ? " a rule" : "";
}

function howMeasured({ isOfArms = false }: Power, { together }: Curve): string {
  if (together > 1) return "together with more candidates";
  return isOfArms ? "with as-is runs of its own" : "alone";
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
  return percent(100 * share).replace("%", " %");
}
