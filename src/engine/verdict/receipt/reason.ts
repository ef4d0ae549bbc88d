import { compose, type Sentence, sentence, plural } from "../../base/language.ts";
import { confidenceLevel } from "../../base/confidence.ts";
import { wholeNumber, percent } from "../../base/format.ts";
import { type Verdict, type Question, type Interval, isTooEarly } from "../verdict.ts";

/** With fewer tasks, a verdict is about these tasks: they stand for little of a person's work. */
const enoughTasks = 12;
const decided: readonly Verdict["kind"][] = ["saves", "costs", "cheaper-not-as-good"];

/**
 * Returns the verdict in plain sentences, made from figures alone: they contain no outside text. With few tasks it says
 * of how many it speaks.
 */
export function describeReason(verdict: Omit<Verdict, "reason">, question: Question): Sentence {
  const reason = reasonOf(verdict, question);
  const count = verdict.tasks.length;
  if (count >= enoughTasks || !decided.includes(verdict.kind)) return reason;
  return compose`${reason} ${plural(count, sentence("It speaks of this task only."), sentence("It speaks of these {0} tasks only.", count))}`;
}

function reasonOf(verdict: Omit<Verdict, "reason">, question: Question): Sentence {
  const { kind, saving, savingShare, passedDifference } = verdict;
  const broken = verdict.tasks.filter(({ regressed }) => regressed).length;
  if (kind === "regression" && broken === 0)
    return sentence(
      "Fails tasks that pass without it: {0} of {1} runs passed, where {2} of {3} passed without it.",
      verdict.passed[1].passed,
      verdict.passed[1].runs,
      verdict.passed[0].passed,
      verdict.passed[0].runs,
    );
  if (kind === "regression")
    return plural(
      broken,
      sentence("A task that passed before and now failed, more clearly than noise explains."),
      sentence("{0} tasks that passed before and now failed, more clearly than noise explains.", broken),
    );
  if (saving === null || savingShare === null) {
    const paired = verdict.tasks.filter(({ pairs }) => pairs > 0).length;
    if (paired > 1)
      return sentence(
        "Nothing can be said of tokens yet: too few runs for the rules that were measured with them.",
      );
    return paired === 0
      ? sentence("Nothing can be said of tokens: no task was finished on both sides, and it takes two.")
      : sentence(
          "Nothing can be said of tokens: only one task was finished on both sides, and it takes two.",
        );
  }
  const saidFigures = figuresOf(saving, savingShare);
  const bar = wholeNumber(question.bar);
  const net = formatPercent(verdict.perCompleted ?? savingShare);
  const needed = (said: Sentence) =>
    question.bar > 0 ? sentence("{figures}, and {bar} are needed", { figures: said, bar }) : said;
  if (kind === "saves")
    return question.bar > 0
      ? sentence("Saves {figures}. It needed {bar}. Per completed task, it saves {net}.", {
          figures: saidFigures,
          bar,
          net,
        })
      : sentence("Saves {figures}. Per completed task, it saves {net}.", { figures: saidFigures, net });
  const saidDifference = costsOrSaves(saving, savingShare);
  if (kind === "costs") return sentence("Takes more: it {difference}.", { difference: saidDifference });
  if (kind === "cheaper-not-as-good")
    return passedDifference === null
      ? sentence("Saves {figures}. The pass rate may be lower.", { figures: saidFigures })
      : sentence(
          "Saves {figures}. Failures may use that up: per completed task, it saves {net}. Passes differ by {points}.",
          { figures: saidFigures, net, points: formatPoints(passedDifference) },
        );
  if (verdict.belowBar)
    return sentence("Saves less than the {bar} tokens it must: {figures}.", {
      bar,
      figures: saidFigures,
    });
  if (question.kind === "re-audit" && verdict.stop === "futile")
    return sentence("No sign of a cost in this audit. All that counts: it {difference}.", {
      difference: needed(saidDifference),
    });
  const undecided = sentence("Not decided: it {difference}.", { difference: needed(saidDifference) });
  return compose`${undecided} ${isTooEarly(verdict, question) ? tooEarly(verdict) : goingOn(verdict)}`;
}

/** `1,200 tokens a run, 12% (8.0% to 16%, 90% confidence)`. The receipt has the range of tokens. */
export function figuresOf(saving: Interval, share: Interval): Sentence {
  return sentence("{tokens} tokens a run, {share}", {
    tokens: wholeNumber(saving.value),
    share: formatPercent(share),
  });
}

/** A cost is worded as one: `costs 5,073 tokens a run, …`. */
function costsOrSaves(saving: Interval, share: Interval): Sentence {
  return saving.value < 0
    ? sentence("costs {figures}", { figures: figuresOf(opposite(saving), opposite(share)) })
    : sentence("saves {figures}", { figures: figuresOf(saving, share) });
}

/** For verdicts with too little evidence for a forecast. */
export function tooEarly({ stop }: Pick<Verdict, "stop">): Sentence {
  return stop === "cap"
    ? sentence("It is too early to say how many more rounds would decide it; what was planned is used up.")
    : sentence("It is too early to say how many more rounds would decide it.");
}

function goingOn({ stop, moreRounds }: Pick<Verdict, "stop" | "moreRounds">): Sentence {
  if (stop !== "futile" && stop !== "cap")
    return moreRounds === null
      ? sentence("No number of rounds would decide it as things look.")
      : plural(
          moreRounds,
          sentence("As things look, 1 more round would decide it."),
          sentence("As things look, {0} more rounds would decide it.", moreRounds),
        );
  const more =
    moreRounds === null
      ? sentence("No number of rounds would decide it as things look")
      : plural(
          moreRounds,
          sentence("As things look, 1 more round would decide it"),
          sentence("As things look, {0} more rounds would decide it", moreRounds),
        );
  return stop === "futile"
    ? sentence("{more}, which is more than is planned.", { more })
    : sentence("{more}; what was planned is used up.", { more });
}

/** `1,200 tokens (800 to 1,600)`. */
export function formatTokens({ value, low, high }: Interval): Sentence {
  return sentence("{0} tokens ({1} to {2})", wholeNumber(value), wholeNumber(low), wholeNumber(high));
}

/** `12% (8.0% to 16%, 90% confidence)`. */
export function formatPercent({ value, low, high }: Interval): Sentence {
  return sentence(
    "{0} ({1} to {2}, {3} confidence)",
    share(value),
    share(low),
    share(high),
    percent(100 * confidenceLevel),
  );
}

/** `−4 points (−12 to +5)`. */
export function formatPoints({ value, low, high }: Interval): Sentence {
  return sentence("{0} points ({1} to {2})", points(value), points(low), points(high));
}

/** Converts a saving to a cost, and a cost to a saving. */
export function opposite({ value, low, high, level }: Interval): Interval {
  return { value: -value, low: -high, high: -low, level };
}

/** Shows at most ten times dearer: a larger figure would not help. */
function share(value: number): string {
  if (value < -9.99) return "below −999%";
  const inHundredths = 100 * value;
  const written = inHundredths.toFixed(Math.abs(inHundredths) < 9.95 ? 1 : 0);
  return `${written.replace("-", Number(written) === 0 ? "" : "−")}%`;
}

function points(value: number): string {
  const written = (100 * value).toFixed(0);
  if (Number(written) === 0) return "0";
  return value > 0 ? `+${written}` : written.replace("-", "−");
}
