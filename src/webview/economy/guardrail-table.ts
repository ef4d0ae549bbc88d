import { html, type TemplateResult } from "lit";
import { t } from "../../engine/base/language.ts";
import type { EconomyView, GuardrailChange, GuardrailRate } from "../../engine/recurring/answers.ts";
import { differenceFigures, rateWords } from "../../engine/recurring/guardrail-answers.ts";
import { absentCell, textCell, timeCell } from "../components/table/table-cells.ts";
import type { Cell } from "../components/table/table-rows.ts";
import type { RenderContext } from "./economy-model.ts";
import { guardrailWords, resultWords } from "./describe-economy.ts";

/** Compares what must not become worse before and after each change of an agent's file. */
export function guardrailTable(
  { now }: RenderContext,
  { agent, versions }: EconomyView["report"]["agents"][number],
): TemplateResult {
  const rows = versions.flatMap(({ since, guardrailChanges }, index) =>
    guardrailChanges.map(({ name, before, after, difference, result }) => ({
      key: `${index} ${name}`,
      cells: [
        textCell(guardrailWords[name]),
        timeCell(since, now),
        textCell(resultWords[result]),
        differenceCell(difference),
        rateCell(before),
        rateCell(after),
      ],
    })),
  );
  const headings = [
    { text: t("Guardrail") },
    { text: t("Since") },
    { text: t("Result") },
    {
      text: t("Change (points)"),
      isNumber: true,
      title: t("After minus before, in percentage points, with its range"),
    },
    { text: t("Before"), isNumber: true, isExtra: true },
    { text: t("After"), isNumber: true, isExtra: true },
  ];
  return html`<purser-table
    label=${t("Guardrails of {0}", agent)}
    .headings=${headings}
    .rows=${rows}
    most="6"
  ></purser-table>`;
}

function rateCell(rate: GuardrailRate): Cell {
  const text = rateWords(rate);
  return text === null ? absentCell(t("no wakes")) : { content: () => text, sort: rate.rate?.value ?? null };
}

function differenceCell(difference: GuardrailChange["difference"]): Cell {
  const text = differenceFigures(difference);
  return text === null ? absentCell() : { content: () => text, sort: difference?.value ?? null };
}
