import { english } from "../../base/text/english.ts";
import { plural } from "../../base/text/l10n.ts";
import { wholeNumber } from "../../base/text/format.ts";
import { isTooEarly } from "../too-early.ts";
import type { Interval, Question, Verdict } from "../verdict.ts";
import { formatPercent, formatPoints, formatTokens, opposite } from "../describe-verdict.ts";

/** Returns the verdict as one plain sentence, made from figures alone: it contains no outside text. */
export function describeReason(verdict: Omit<Verdict, "reason">, question: Question): string {
  const { kind, saving, savingShare, passedDifference } = verdict;
  const broken = verdict.tasks.filter(({ regressed }) => regressed).length;
  if (kind === "regression" && broken === 0)
    return english(
      "Fails tasks that pass without it: {0} of {1} runs passed, where {2} of {3} passed without it.",
      verdict.passed[1].passed,
      verdict.passed[1].runs,
      verdict.passed[0].passed,
      verdict.passed[0].runs,
    );
  if (kind === "regression")
    return plural(
      broken,
      english("A task that passed before and now failed, more clearly than noise explains."),
      english("{0} tasks that passed before and now failed, more clearly than noise explains.", broken),
    );
  if (saving === null || savingShare === null) {
    const paired = verdict.tasks.filter(({ pairs }) => pairs > 0).length;
    if (paired > 1)
      return english(
        "Nothing can be said of tokens yet: too few runs for the rules that were measured with them.",
      );
    return paired === 0
      ? english("Nothing can be said of tokens: no task was finished on both sides, and it takes two.")
      : english("Nothing can be said of tokens: only one task was finished on both sides, and it takes two.");
  }
  const saidFigures = figuresOf(saving, savingShare);
  const needed = (said: string) =>
    question.bar > 0
      ? english("{saidFigures}, where {bar} are needed", {
          saidFigures: said,
          bar: wholeNumber(question.bar),
        })
      : said;
  if (kind === "saves")
    return english("Saves {saidFigures}, and is shown to be as good.", { saidFigures: needed(saidFigures) });
  const saidDifference = costsOrSaves(saving, savingShare);
  if (kind === "costs") return english("Takes more: it {saidDifference}.", { saidDifference });
  if (kind === "cheaper-not-as-good")
    return passedDifference === null
      ? english("Saves {saidFigures}, but is not shown to be as good.", { saidFigures: needed(saidFigures) })
      : english("Saves {saidFigures}, but is not shown to be as good: {saidPoints} of runs passed.", {
          saidFigures: needed(saidFigures),
          saidPoints: formatPoints(passedDifference),
        });
  if (verdict.belowBar)
    return english("Saves less than the {bar} tokens it must: {saidFigures}.", {
      bar: wholeNumber(question.bar),
      saidFigures,
    });
  if (question.kind === "re-audit" && verdict.stop === "futile")
    return english("No sign of a cost in this audit. All that counts: it {saidDifference}.", {
      saidDifference: needed(saidDifference),
    });
  const undecided = english("Not decided: it {saidDifference}.", { saidDifference: needed(saidDifference) });
  return `${undecided} ${isTooEarly(verdict, question) ? tooEarly(verdict) : goingOn(verdict)}`;
}

/** `1,200 tokens (800 to 1,600) a completed run, 12% (8.0% to 16%, 90% confidence)`. */
export function figuresOf(saving: Interval, share: Interval): string {
  return english("{saidTokens} a completed run, {saidShare}", {
    saidTokens: formatTokens(saving),
    saidShare: formatPercent(share),
  });
}

/** A cost is worded as one: `costs 5,073 more (1,200 to 9,000) a completed run, …`. */
function costsOrSaves(saving: Interval, share: Interval): string {
  return saving.value < 0
    ? english("costs {saidTokens} a completed run, {saidShare}", {
        saidTokens: formatTokens(opposite(saving)),
        saidShare: formatPercent(opposite(share)),
      })
    : english("saves {saidTokens} a completed run, {saidShare}", {
        saidTokens: formatTokens(saving),
        saidShare: formatPercent(share),
      });
}

/** For verdicts with too little evidence for a forecast. */
export function tooEarly({ stop }: Pick<Verdict, "stop">): string {
  return stop === "cap"
    ? english("It is too early to say how many more rounds would decide it; what was planned is used up.")
    : english("It is too early to say how many more rounds would decide it.");
}

function goingOn({ stop, moreRounds }: Pick<Verdict, "stop" | "moreRounds">): string {
  if (stop !== "futile" && stop !== "cap")
    return moreRounds === null
      ? english("No number of rounds would decide it as things look.")
      : plural(
          moreRounds,
          english("As things look, 1 more round would decide it."),
          english("As things look, {0} more rounds would decide it.", moreRounds),
        );
  const saidMore =
    moreRounds === null
      ? english("No number of rounds would decide it as things look")
      : plural(
          moreRounds,
          english("As things look, 1 more round would decide it"),
          english("As things look, {0} more rounds would decide it", moreRounds),
        );
  return stop === "futile"
    ? english("{saidMore}, which is more than is planned.", { saidMore })
    : english("{saidMore}; what was planned is used up.", { saidMore });
}
