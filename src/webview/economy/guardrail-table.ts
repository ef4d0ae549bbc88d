import { html, type TemplateResult } from "lit";
import { percent, signedNumber, wholeNumber } from "../../engine/base/text/local-format.ts";
import { t } from "../../engine/base/text/l10n.ts";
import type { EconomyView, GuardrailChange, GuardrailRate } from "../../engine/economy/answers.ts";
import { absentCell, textCell, timeCell } from "../components/table/cells.ts";
import type { Cell } from "../components/table/rows.ts";
import type { RenderContext } from "./actions.ts";
import { guardrailWords, resultWords } from "./describe.ts";

/** Compares what must not become worse before and after each change of an agent's file. */
export function guardrailTable(
  { now }: RenderContext,
  { agent, versions }: EconomyView["report"]["agents"][number],
): TemplateResult {
  const rows = versions.flatMap(({ since, guardrailChanges }, index) =>
    guardrailChanges.map(({ name, before, after, difference, result }) => ({
      key: `${index} ${name}`,
      cells: [
        timeCell(since, now),
        textCell(guardrailWords[name]),
        rateCell(before),
        rateCell(after),
        differenceCell(difference),
        textCell(resultWords[result]),
      ],
    })),
  );
  const headings = [
    { text: t("Since") },
    { text: t("Guardrail") },
    { text: t("Before"), isNumber: true, isExtra: true },
    { text: t("After"), isNumber: true, isExtra: true },
    {
      text: t("Change"),
      isNumber: true,
      title: t("After minus before, in percentage points, with its range"),
    },
    { text: t("Result") },
  ];
  return html`<purser-table
    label=${t("Guardrails of {0}", agent)}
    .headings=${headings}
    .rows=${rows}
    most="6"
  ></purser-table>`;
}

function rateCell({ wakes, of, rate }: GuardrailRate): Cell {
  if (rate === null) return absentCell(t("no wakes"));
  const inWords = (share: number) => percent(share * 100);
  const text = t(
    "{0} ({1} to {2}; {3} of {4})",
    inWords(rate.value),
    inWords(rate.low),
    inWords(rate.high),
    wholeNumber(wakes),
    wholeNumber(of),
  );
  return { content: () => text, sort: rate.value };
}

function differenceCell(difference: GuardrailChange["difference"]): Cell {
  if (difference === null) return absentCell();
  const points = (share: number) => signedNumber(Math.round(share * 100));
  const { value, low, high } = difference;
  const text = t("{0} points ({1} to {2})", points(value), points(low), points(high));
  return { content: () => text, sort: value };
}
