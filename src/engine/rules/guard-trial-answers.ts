import { wholeNumber } from "../base/local-format.ts";
import { inWords, plural, t } from "../base/language.ts";
import { harmOf, type TriedRuleView } from "./trial-answers.ts";

/** What a trial of guards shows about a family. */
interface GuardResult {
  readonly kind: "saves" | "harms" | "unknown";
  /** After the family's name, without a full stop. */
  readonly text: string;
  /** What is known besides. Null if nothing is. */
  readonly more: string | null;
}

/** Describes what a trial shows about a family of guards, in words for its owner. */
export function describeGuardResult(tried: TriedRuleView): GuardResult {
  const { verdict, saving, reason, withIt, withoutIt } = tried;
  const sessions = withIt + withoutIt;
  const harm = harmOf(tried);
  const on = plural(
    sessions,
    t("measured on 1 of your sessions"),
    t("measured on {0} of your sessions", sessions),
  );
  if (harm === "undone")
    return { kind: "harms", text: t("more of your prompts are interrupted or fail where it acts"), more: on };
  if (harm === "corrected")
    return { kind: "harms", text: t("more of your prompts correct the agent where it acts"), more: on };
  if (saving === null)
    return { kind: "unknown", text: t("not known yet"), more: reason === null ? null : inWords(reason) };
  const [value, low, high] = [saving.value, saving.low, saving.high].map((share) => Math.round(100 * share));
  if (harm === "costs")
    return {
      kind: "harms",
      text: t("costs {0}% ({1} to {2}%) more of your tokens", -(value ?? 0), -(high ?? 0), -(low ?? 0)),
      more: on,
    };
  if (verdict === "saves")
    return {
      kind: "saves",
      text: t("saves {0}% ({1} to {2}%) of your tokens", value ?? 0, low ?? 0, high ?? 0),
      more: on,
    };
  const range = t(
    "so far between {0}% and {1}% saved, {2}",
    wholeNumber(low ?? 0),
    wholeNumber(high ?? 0),
    on,
  );
  return { kind: "unknown", text: t("not known yet"), more: range };
}
