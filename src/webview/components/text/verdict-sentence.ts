import { language, plural, t } from "../../../engine/base/text/l10n.ts";
import { percent, signedNumber, signedPercent, wholeNumber } from "../../../engine/base/text/local-format.ts";
import type { ComparisonView } from "../../../engine/jobs/answers/compare.ts";

type Result = Pick<
  ComparisonView,
  "sentence" | "reason" | "decision" | "saving" | "savingShare" | "bar" | "sides" | "tasks"
>;

/**
 * The verdict of a comparison. In English it is the service's own sentence, which the receipt has, too; in other languages it is worded here,
 * from the same figures.
 */
export function verdictSentence(result: Result): string {
  if (language() === "en") return result.sentence;
  const [before, after] = [result.sides[0].label, result.sides[1].label];
  const { decision } = result;
  switch (decision) {
    case "saves":
      return joined(t("{0} is cheaper than {1}, and shown to be as good.", after, before), savesText(result));
    case "costs":
      return joined(t("{0} costs more than {1}.", after, before), costsText(result));
    case "cheaper-not-as-good":
      return joined(
        t("{0} is cheaper than {1}, but not shown to be as good.", after, before),
        passedText(result),
        savesText(result),
      );
    case "regression":
      return t("{0} fails where {1} passes: {2}.", after, before, brokenTasks(result).join(", "));
    case "undecided":
      if (result.saving === null) return t("Too few tasks were finished on both sides.");
      return joined(
        isShown(result.saving)
          ? t("The difference between {0} and {1} is not decided yet.", after, before)
          : t("No difference is found between {0} and {1}.", after, before),
        differenceText(result),
      );
  }
}

/** The same of a rule, or of a set of rules. */
export function verdictReason(result: Result): string {
  if (language() === "en") return result.reason;
  const { decision, saving, bar } = result;
  const needed = bar > 0 ? t("{0} tokens are needed.", wholeNumber(bar)) : "";
  switch (decision) {
    case "saves":
      return joined(savesText(result), needed, t("It is shown to be as good."));
    case "costs":
      return costsText(result);
    case "cheaper-not-as-good":
      return joined(savesText(result), needed, t("It is not shown to be as good."), passedText(result));
    case "regression": {
      const broken = brokenTasks(result).length;
      return plural(
        broken,
        t("A task that passed before now failed, more clearly than noise explains."),
        t("{0} tasks that passed before now failed, more clearly than noise explains.", wholeNumber(broken)),
      );
    }
    case "undecided":
      if (saving === null) return t("Too few tasks were finished on both sides.");
      return joined(t("Not decided."), differenceText(result), needed);
  }
}

function savesText({ saving, savingShare: share }: Result): string {
  if (saving === null || share === null) return "";
  return t(
    "It saves {0} tokens ({1} to {2}) a completed run, {3} ({4} to {5}, {6} confidence).",
    ...[saving.value, saving.low, saving.high].map(wholeNumber),
    ...[share.value, share.low, share.high].map((each) => percent(100 * each)),
    percent(100 * share.level),
  );
}

function costsText({ saving, savingShare: share }: Result): string {
  if (saving === null || share === null) return "";
  return t(
    "It takes {0} tokens ({1} to {2}) more a completed run, {3} ({4} to {5}, {6} confidence).",
    ...[-saving.value, -saving.high, -saving.low].map(wholeNumber),
    ...[-share.value, -share.high, -share.low].map(signedPercent),
    percent(100 * share.level),
  );
}

function differenceText({ saving }: Result): string {
  if (saving === null) return "";
  return t(
    "The difference is {0} tokens a completed run ({1} to {2}, {3} confidence).",
    ...[-saving.value, -saving.high, -saving.low].map(signedNumber),
    percent(100 * saving.level),
  );
}

function passedText({ sides: [before, after] }: Result): string {
  return t(
    "{0} of {1} runs passed, where {2} of {3} did.",
    after.passed.passed,
    after.passed.runs,
    before.passed.passed,
    before.passed.runs,
  );
}

function brokenTasks({ tasks }: Result): string[] {
  return tasks.filter(({ isRegressed }) => isRegressed).map(({ title }) => title);
}

/** Whether the interval excludes that there is no difference. */
function isShown({ low, high }: NonNullable<Result["saving"]>): boolean {
  return low > 0 || high < 0;
}

function joined(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
