import { html, nothing, type TemplateResult } from "lit";
import {
  aboutDollars,
  decimalNumber,
  estimatedNumber,
  percent,
  shortNumber,
  wholeNumber,
} from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { RuleView } from "../../engine/rules/rules-answers.ts";
import type { GradeView } from "../../engine/verdict/verdict-answers.ts";
import { icon, type IconName } from "../components/icon.ts";

type Grade = GradeView["grade"];

const gradeNames: Readonly<Record<Grade, string>> = {
  proved: t("Proved"),
  worth: t("Worth having"),
  none: t("Not worth having"),
};

const gradeIcons: Readonly<Record<Grade, IconName>> = { proved: "check", worth: "check", none: "none" };

/** A rule's grade; null if it was not measured, or only by a version that gave no other grade than proof. */
function gradeOf({ expected, receipts }: Pick<RuleView, "expected" | "receipts">): Grade | null {
  if (expected !== undefined) return expected.grade;
  return receipts.find(({ isDemo }) => !isDemo)?.verdict === "saves" ? "proved" : null;
}

/** `✓ Worth having · saves ~12% · pays for itself after ~84 sessions (23 days)` */
function gradeLine(expected: GradeView): TemplateResult {
  const { grade, share, paid } = expected;
  const saved = percent(100 * Math.abs(share));
  const parts = [
    share < 0 ? t("costs ~{0}", saved) : t("saves ~{0}", saved),
    ...(grade === "none" ? [] : [describePaid(paid)]),
  ];
  return html`<p class="grade">
    ${icon(gradeIcons[grade])}<span><strong>${gradeNames[grade]}</strong> · ${parts.join(" · ")}</span>
  </p>`;
}

/** Rows of facts: how sure the grade is, and what measuring took. */
export function gradeFacts({ ofNothing, ofHarm, spent, ms }: GradeView): TemplateResult {
  const price = describePrice({ tokens: spent.processingTokens, usd: spent.usd, hours: ms / 3_600_000 });
  return html`<dt>${t("Chances")}</dt>
    <dd class="number">
      ${t("{0} that it saves nothing, {1} that it does harm", percent(100 * ofNothing), percent(100 * ofHarm))}
    </dd>
    <dt>${t("Measuring took")}</dt>
    <dd class="number">${price}</dd>`;
}

/** `pays for itself after ~84 sessions (23 days)` */
export function describePaid(paid: GradeView["paid"]): string {
  if (paid === null) return t("never pays for itself");
  const { sessions, days } = paid;
  const after = plural(sessions, t("~1 session"), t("~{0} sessions", estimatedNumber(sessions)));
  return days === null
    ? t("pays for itself after {0}", after)
    : t("pays for itself after {0} ({1})", after, dayCount(days));
}

/** `~1.9M tokens · ~$16.00 · ~2.4 hours` */
export function describePrice({
  tokens,
  usd,
  hours,
}: {
  readonly tokens: number;
  readonly usd: number | null;
  readonly hours: number;
}): string {
  const parts = [t("~{0} tokens", shortNumber(tokens)), ...(usd === null ? [] : [aboutDollars(usd)])];
  const minutes = Math.max(1, Math.round(60 * hours));
  const time =
    minutes < 90
      ? plural(minutes, t("~1 minute"), t("~{0} minutes", wholeNumber(minutes)))
      : t("~{0} hours", decimalNumber(hours, hours < 10 ? 1 : 0));
  return [...parts, time].join(" · ");
}

function dayCount(days: number): string {
  return plural(days, t("1 day"), t("{0} days", wholeNumber(days)));
}

/** The grade of a rule in its row. Empty without one. */
export function gradeWord(rule: RuleView): string {
  const grade = gradeOf(rule);
  // A rule in the archive is not let in: its status says enough.
  if (grade === null || rule.status === "shelved" || rule.status === "evicted") return "";
  return { proved: t("proved"), worth: t("worth having"), none: t("not worth having") }[grade];
}

/** The grade of a rule that is measured by now; nothing without one. */
export function maybeGradeLine(expected: GradeView | undefined): TemplateResult | typeof nothing {
  return expected === undefined ? nothing : gradeLine(expected);
}
