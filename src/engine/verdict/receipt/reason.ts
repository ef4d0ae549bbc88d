import { wholeNumber } from "../../base/text/format.ts";
import type { Interval, Question, Verdict } from "../verdict.ts";
import { formatPercent, formatPoints, formatTokens, opposite } from "../describe.ts";

/** Returns the verdict as one plain sentence, made from figures alone: it contains no outside text. */
export function describeReason(verdict: Omit<Verdict, "reason">, question: Question): string {
  const { kind, saving, savingShare, passedDifference } = verdict;
  const broken = verdict.tasks.filter(({ regressed }) => regressed).length;
  if (kind === "regression")
    return `${broken === 1 ? "A task" : `${broken} tasks`} that passed before and now failed, more clearly than noise explains.`;
  if (saving === null || savingShare === null) {
    const paired = verdict.tasks.filter(({ pairs }) => pairs > 0).length;
    if (paired > 1)
      return "Nothing can be said of tokens yet: too few runs for the rules that were measured with them.";
    return `Nothing can be said of tokens: ${paired === 0 ? "no task was" : "only one task was"} finished on both sides, and it takes two.`;
  }
  const figures = `${formatTokens(saving)} a completed run, ${formatPercent(savingShare)}`;
  const need = question.bar > 0 ? `, where ${wholeNumber(question.bar)} are needed` : "";
  if (kind === "saves") return `Saves ${figures}${need}, and is shown to be as good.`;
  if (kind === "costs") return `Takes more: it ${costsOrSaves(saving, savingShare)}.`;
  if (kind === "cheaper-not-as-good") {
    const passed = passedDifference === null ? "" : `: ${formatPoints(passedDifference)} of runs passed`;
    return `Saves ${figures}${need}, but is not shown to be as good${passed}.`;
  }
  if (verdict.belowBar) return `Saves less than the ${wholeNumber(question.bar)} tokens it must: ${figures}.`;
  return `Not decided: it ${costsOrSaves(saving, savingShare)}${need}. ${goingOn(verdict)}`;
}

/** A cost is told as one: `costs 5,073 more (1,200 to 9,000) a completed run, …`. */
function costsOrSaves(saving: Interval, share: Interval): string {
  const isCost = saving.value < 0;
  const [tokens, part] = isCost ? [opposite(saving), opposite(share)] : [saving, share];
  return `${isCost ? "costs" : "saves"} ${formatTokens(tokens)} a completed run, ${formatPercent(part)}`;
}

function goingOn({ stop, moreRounds }: Pick<Verdict, "stop" | "moreRounds">): string {
  const more =
    moreRounds === null
      ? "No number of rounds would decide it as things look"
      : `As things look, ${moreRounds === 1 ? "1 more round" : `${moreRounds} more rounds`} would decide it`;
  if (stop === "futile") return `${more}, which is more than is planned.`;
  return stop === "cap" ? `${more}; what was planned is used up.` : `${more}.`;
}
