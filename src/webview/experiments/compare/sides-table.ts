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

/** Lists both sides and the differences between them. */
export function sidesTable(result: ComparisonView): TemplateResult {
  const { sides } = result;
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
    differenceRow(result, isPriced),
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

/** The differences that an interval was computed for; a difference of plain means may be noise. */
function differenceRow({ sides, savingShare, costShare }: ComparisonView, isPriced: boolean) {
  const [was = null, is = null] = sides.map(({ passed }) => passed.rate?.value ?? null);
  const points = was === null || is === null ? null : Math.round((is - was) * 100);
  const isCompared = sides.every(({ figures }) => figures !== null);
  return {
    key: "difference",
    cells: [
      { content: () => html`<strong>${t("Difference")}</strong>`, sort: null },
      isCompared ? shareCell(savingShare) : unknownCell,
      noCell,
      points === null
        ? unknownCell
        : {
            content: () => html`<span title=${t("Percentage points")}>${inPoints(points)}</span>`,
            sort: null,
          },
      noCell,
      noCell,
      ...(isPriced ? [shareCell(costShare)] : []),
    ],
  };
}

const noCell: Cell = { content: () => nothing, sort: null };

function shareCell(saved: ComparisonView["savingShare"]): Cell {
  if (saved === null) return unknownCell;
  const { value, low, high } = saved;
  const told = t("{0} to {1}", signedPercent(-high), signedPercent(-low));
  return { content: () => html`<span title=${told}>${signedPercent(-value)}</span>`, sort: null };
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
