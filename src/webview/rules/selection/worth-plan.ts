import { html, type TemplateResult } from "lit";
import { aboutDollars, shortNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { t } from "../../../engine/base/language.ts";
import type { JobView } from "../../../engine/jobs/bench-answers.ts";
import { runCount } from "../../components/sentences.ts";
import { banner, factList, notice } from "../../components/states.ts";
import { describePaid, describePrice } from "../grade.ts";

type JobPlan = NonNullable<JobView["plan"]>;
type Power = NonNullable<JobPlan["power"]>;
type WorthPlan = NonNullable<Power["worth"]>;

/** What measuring until a grade takes. Null if it is not known what the rules are used for. */
export function planOfGrade({ power }: JobPlan, grade: "worth" | "proved"): WorthPlan | null {
  return (grade === "worth" ? power?.worth : power?.proof) ?? null;
}

/** Says first whether measuring pays, then what it takes. @param tryIt leads to what costs nothing; null if it cannot */
export function worthFacts(
  plan: JobPlan,
  worth: WorthPlan,
  { grade, tryIt }: { readonly grade: "worth" | "proved"; readonly tryIt: (() => void) | null },
): TemplateResult {
  const { net, use } = worth;
  const rate = t("{0} sessions a week", wholeNumber(use.perWeek));
  const rows: [string, unknown][] = [
    [grade === "worth" ? t("Price") : t("Price at most"), describePrice(worth)],
    [
      t("Gain"),
      t(
        "{0} tokens in {1} weeks, after the price",
        net < 0 ? `−${shortNumber(-net)}` : `~${shortNumber(net)}`,
        wholeNumber(use.weeks),
      ),
    ],
    [t("Assumed"), t("{0}, a new model after {1} weeks", rate, wholeNumber(use.weeks))],
    ...(grade === "worth" ? [[t("Upper limit"), limitOf(plan)] satisfies [string, unknown]] : []),
  ];
  return html`${verdict(worth, tryIt)} ${factList(rows, "number")}`;
}

/** More sessions than anybody has with one model. */
const never = 100_000;

function verdict({ pays, sessions, days, more }: WorthPlan, tryIt: (() => void) | null): TemplateResult {
  const paid = describePaid(sessions > never ? null : { sessions, days });
  if (pays) return notice(t("Worth measuring: {0}.", paid), [], { iconName: "check" });
  const said =
    more === 0
      ? t("Not worth measuring: {0}.", paid)
      : t("Not worth measuring yet: {0}. With {1} more rules it pays.", paid, wholeNumber(more));
  return banner(said, tryIt === null ? null : { label: t("Try on Real Work, Free"), run: tryIt });
}

function limitOf({ runs, made, tokens, usd }: JobPlan): string {
  const price = [t("~{0} tokens", shortNumber(tokens)), ...(usd === null ? [] : [aboutDollars(usd)])];
  return [runCount(Math.max(0, runs - made)), ...price].join(" · ");
}
