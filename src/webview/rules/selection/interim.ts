import type { InterimVerdict } from "../../../engine/jobs/compare-answers.ts";
import { estimatedNumber, wholeNumber } from "../../../engine/base/local-format.ts";
import { plural, t } from "../../../engine/base/language.ts";

/** The state of a rule after a round, in a sentence. */
export function describeInterim({ round, decision, saving, moreRuns, stop }: InterimVerdict): string {
  const isUnknown = saving === null && moreRuns === null && stop === null;
  const found = figureOf(saving);
  return isUnknown
    ? t("Round {0}: {1}.", wholeNumber(round), found)
    : t("Round {0}: {1}; {2}.", wholeNumber(round), found, nextOf({ decision, moreRuns, stop }));
}

/** A cost has the cost's interval. */
function figureOf(saving: InterimVerdict["saving"]): string {
  if (saving === null) return t("nothing can be compared yet");
  const { value, low, high } = saving;
  return value < 0
    ? t(
        "it costs ~{0} tokens a run ({1} to {2})",
        estimatedNumber(-value),
        estimatedNumber(-high),
        estimatedNumber(-low),
      )
    : t(
        "it saves ~{0} tokens a run ({1} to {2})",
        estimatedNumber(value),
        estimatedNumber(low),
        estimatedNumber(high),
      );
}

function nextOf({
  decision,
  moreRuns,
  stop,
}: Pick<InterimVerdict, "decision" | "moreRuns" | "stop">): string {
  if (stop !== null) return t("no further round is needed");
  if (decision !== "undecided") return t("that as many runs pass is still to be shown");
  return moreRuns === null
    ? t("how many runs would decide it cannot be said yet")
    : plural(
        moreRuns,
        t("1 more run would decide it"),
        t("{0} more runs would decide it", wholeNumber(moreRuns)),
      );
}
