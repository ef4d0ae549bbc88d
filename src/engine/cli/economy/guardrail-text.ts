import { t } from "../../base/text/l10n.ts";
import { percent, signedNumber, wholeNumber } from "../../base/text/local-format.ts";
import type {
  EconomyFigures,
  EconomyReport,
  GuardrailChange,
  GuardrailName,
  GuardrailRate,
  GuardrailResult,
} from "../../economy/answers.ts";
import type { Style } from "../style.ts";
import { alignColumns } from "../table.ts";

const names: Readonly<Record<GuardrailName, string>> = {
  completion: t("Wakes that succeed"),
  blocked: t("Wakes that leave their task blocked"),
  failed_resumes: t("Resumes that fail"),
};

const results: Readonly<Record<GuardrailResult, string>> = {
  worse: t("got worse"),
  no_worse: t("no worse"),
  too_few: t("too few wakes to say"),
};

/** The guardrails before and after each change of an agent's file, the newest first. */
export function guardrailsTable(versions: EconomyReport["agents"][number]["versions"], style: Style): string {
  const table = alignColumns(
    [
      { title: t("Since") },
      { title: t("Guardrail"), fit: "wrap" },
      { title: t("Before"), isFigure: true },
      { title: t("After"), isFigure: true },
      { title: t("Change"), isFigure: true },
      { title: t("Result"), fit: "wrap" },
    ],
    versions.flatMap(({ since, guardrailChanges }) =>
      guardrailChanges.map(({ name, before, after, difference, result }) => [
        new Date(since).toISOString().slice(0, 16).replace("T", " "),
        names[name],
        rateText(before),
        rateText(after),
        changeText(difference),
        results[result],
      ]),
    ),
    style,
  );
  const note = t(
    "Ranges hold with 95% confidence. Worse: an exact test finds it so. No worse: the range excludes a loss of ten points.",
  );
  return `${table}${style.dim(note)}`;
}

/** The guardrails of all wakes, as shares with their ranges. */
export function guardrailRatesText({ guardrailRates }: EconomyFigures): string[] {
  return guardrailRates.map((each) => `${names[each.name]}: ${rateText(each)}`);
}

function rateText({ wakes, of, rate }: GuardrailRate): string {
  if (rate === null) return t("no wakes");
  const inWords = (share: number) => percent(share * 100);
  return t(
    "{0} ({1} to {2}; {3} of {4})",
    inWords(rate.value),
    inWords(rate.low),
    inWords(rate.high),
    wholeNumber(wakes),
    wholeNumber(of),
  );
}

function changeText(difference: GuardrailChange["difference"]): string {
  if (difference === null) return t("unknown");
  const points = (share: number) => signedNumber(Math.round(share * 100));
  const { value, low, high } = difference;
  return t("{0} points ({1} to {2})", points(value), points(low), points(high));
}
