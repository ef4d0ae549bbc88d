import { inWords, t } from "../../../engine/base/language.ts";
import { html, nothing, type TemplateResult } from "lit";
import {
  decimalNumber,
  dollarAmount,
  signedNumber,
  signedPercent,
  wholeNumber,
} from "../../../engine/base/local-format.ts";
import type { ComparisonView } from "../../../engine/jobs/compare-answers.ts";
import { outside } from "../../components/outside.ts";
import { absentCell, column, numberColumn, extra } from "../../components/table/table-cells.ts";
import type { Cell } from "../../components/table/table-rows.ts";
import type { Heading } from "../../components/table/table.ts";
import { spaced } from "../../components/sentences.ts";
import { dataTable } from "../../components/table/table.ts";

type Side = ComparisonView["sides"][number];
type Figures = NonNullable<Side["figures"]>;

/** Lists both sides and the differences between them. Known costs are shown, but never compared. */
export function sidesTable({ sides }: ComparisonView): TemplateResult {
  const [before, after] = sides;
  const isPriced = sides.some(({ figures }) => (figures?.usd ?? null) !== null);
  const headings: Heading[] = [
    column(t("Side")),
    numberColumn(t("Tokens a run"), t("New tokens: input, output and cache writes")),
    numberColumn(t("Cache read"), t("Tokens read from the cache")),
    numberColumn(t("Passed"), t("Runs whose check passed")),
    numberColumn(t("Turns")),
    extra(numberColumn(t("Seconds"), t("Advisory: it depends on the machine and the day"))),
    ...(isPriced ? [extra(numberColumn(t("Cost (USD)"), t("Of a run, at list prices")))] : []),
  ];
  const rows = [
    sideRow("before", before, isPriced),
    sideRow("after", after, isPriced),
    differenceRow(before, after, isPriced),
  ];
  return dataTable({ label: t("Both sides"), headings, rows, most: 3 });
}

function sideRow(key: string, { label: own, model, effort, passed, figures }: Side, isPriced: boolean) {
  const label = inWords(own);
  const shown = [model, effort].filter((part) => part !== null && part !== label).join(" · ");
  const name: Cell = {
    content: () =>
      shown === ""
        ? outside(label, 60)
        : spaced(outside(label, 60), html`<span class="quiet">${outside(shown, 60)}</span>`),
    sort: label,
  };
  const rate: Cell = {
    content: () => t("{0} of {1}", wholeNumber(passed.passed), wholeNumber(passed.runs)),
    sort: passed.runs === 0 ? null : passed.passed / passed.runs,
  };
  const usd = figures?.usd ?? null;
  return {
    key,
    cells: [
      name,
      figureCell(figures?.processingTokens, wholeNumber),
      figureCell(figures?.cacheRead, wholeNumber),
      rate,
      figureCell(figures?.turns, tenths),
      figureCell(figures?.seconds, wholeNumber),
      ...(isPriced ? [figureCell(usd ?? undefined, dollarAmount)] : []),
    ],
  };
}

function differenceRow(before: Side, after: Side, isPriced: boolean) {
  const of = (pick: (figures: Figures) => number): Cell => {
    const [one, other] = [before.figures, after.figures];
    if (one === null || other === null || pick(one) === 0) return unknownCell;
    const change = pick(other) / pick(one) - 1;
    return { content: () => signedPercent(change), sort: null };
  };
  const rates = [before, after].map(({ passed }) => passed.rate?.value ?? null);
  const [was = null, is = null] = rates;
  const points = was === null || is === null ? null : Math.round((is - was) * 100);
  return {
    key: "difference",
    cells: [
      { content: () => html`<strong>${t("Difference")}</strong>`, sort: null },
      of(({ processingTokens }) => processingTokens),
      of(({ cacheRead }) => cacheRead),
      points === null
        ? unknownCell
        : {
            content: () => html`<span title=${t("Percentage points")}>${inPoints(points)}</span>`,
            sort: null,
          },
      of(({ turns }) => turns),
      of(({ seconds }) => seconds),
      ...(isPriced ? [{ content: () => nothing, sort: null }] : []),
    ],
  };
}

function inPoints(points: number): string {
  return t("{0} points", signedNumber(points));
}

const unknownCell: Cell = absentCell();

function figureCell(value: number | undefined, write: (value: number) => string): Cell {
  return value === undefined ? unknownCell : { content: () => write(value), sort: value };
}

function tenths(value: number): string {
  return decimalNumber(value, 1);
}
