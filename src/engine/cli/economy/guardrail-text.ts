import { t } from "../../base/text/l10n.ts";
import type {
  EconomyFigures,
  EconomyReport,
  GuardrailName,
  GuardrailResult,
} from "../../recurring/answers.ts";
import { differenceWords, rateWords } from "../../recurring/answers/guardrail-words.ts";
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
        rateWords(before) ?? t("no wakes"),
        rateWords(after) ?? t("no wakes"),
        differenceWords(difference) ?? t("unknown"),
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
  return guardrailRates.map((each) => `${names[each.name]}: ${rateWords(each) ?? t("no wakes")}`);
}
