import type { InterimVerdict } from "../../../engine/jobs/answers/compare.ts";
import { wholeNumber } from "../../../engine/base/text/format.ts";
import { plural } from "../../components/figures.ts";

/** The state of a rule after a round, in a sentence. */
export function describeInterim({ round, decision, saving, moreRuns, stop }: InterimVerdict): string {
  const isUnknown = saving === null && moreRuns === null && stop === null;
  const next = isUnknown ? "" : `; ${nextOf({ decision, moreRuns, stop })}`;
  return `Round ${wholeNumber(round)}: ${figureOf(saving)}${next}.`;
}

/** A cost is told with the interval of the cost. */
function figureOf(saving: InterimVerdict["saving"]): string {
  if (saving === null) return "nothing can be compared yet";
  const { value, low, high } = saving;
  const [what, least, most] = value < 0 ? ["costs", -high, -low] : ["saves", low, high];
  return `it ${what} ~${wholeNumber(Math.abs(value))} tokens a run (${wholeNumber(least)} to ${wholeNumber(most)})`;
}

function nextOf({
  decision,
  moreRuns,
  stop,
}: Pick<InterimVerdict, "decision" | "moreRuns" | "stop">): string {
  if (stop !== null) return "no further round is needed";
  if (decision !== "undecided") return "that as many runs pass is still to be shown";
  return moreRuns === null
    ? "how many runs would decide it cannot be said yet"
    : `${plural(moreRuns, "more run", "more runs")} would decide it`;
}
