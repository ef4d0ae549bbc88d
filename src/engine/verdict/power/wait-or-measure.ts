import { percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import type { TrialPlan } from "./trial.ts";

/** What measuring so many rules together buys, for the saving that is worth having. */
export interface Outlook {
  readonly together: number;
  /** The chance to decide by the last round. */
  readonly chance: number;
  /** Processing tokens a rule for which this chance is reached; null where it never is. */
  readonly tokensFor: (chance: number) => number | null;
}

/** The chance that a price is named for: no measurement is made for more. */
const wanted = 0.8;
/** Below this chance, measuring is not advised. */
const poor = 0.5;
/** Times cheaper from which on waiting is advised. */
const muchCheaper = 1.8;

/**
 * Says whether to measure now, to wait for more candidates, or to try on real work, in plain sentences.
 * @param worth the share saved that is worth having
 * @param later with the candidates that may yet come; null where no more fit
 */
export function advise(
  worth: number,
  {
    now,
    later,
    trial,
  }: { readonly now: Outlook; readonly later: Outlook | null; readonly trial: TrialPlan | null },
): string[] {
  return [
    adviceOnRuns(inPercent(worth), now, later),
    ...(trial === null ? [] : [adviceOnTrial(worth, trial)]),
  ];
}

function adviceOnRuns(worth: string, now: Outlook, later: Outlook | null): string {
  const chance = Math.min(wanted, now.chance);
  const price = now.tokensFor(chance);
  const cheaper = later?.tokensFor(chance) ?? null;
  const shown = `a true saving of ${worth} is shown with a chance of ${inPercent(chance)}`;
  const cost =
    price === null ? "" : ` for about ${shortNumber(price)} tokens${now.together > 1 ? " a rule" : ""}`;
  // A saving that is hardly ever shown is not worth waiting for, however cheap it becomes.
  const isHopeful = later !== null && later.chance >= poor;
  if (isHopeful && price !== null && cheaper !== null && price > 0 && price >= muchCheaper * cheaper) {
    const more = later.together - now.together;
    const times = (price / cheaper).toFixed(1).replace(/\.0$/u, "");
    return `Wait: ${more === 2 ? "two" : String(more)} more candidates make this ${times} times cheaper. Now ${shown}${cost}; together with them it is for about ${shortNumber(cheaper)} a rule.`;
  }
  if (now.chance >= poor) return `Measure now: ${shown}${cost}.`;
  const hope =
    later === null || later.chance < now.chance + 0.1
      ? ""
      : ` With ${later.together - now.together} more candidates the chance is ${inPercent(later.chance)}.`;
  return `Measuring now says little: ${shown} at most${cost}.${hope}`;
}

function adviceOnTrial(worth: number, { needed, sessionsADay }: TrialPlan): string {
  const own = needed.find(({ share }) => share === worth);
  if (own?.days === undefined || own.days === null)
    return "How long a trial on real work would take is not known: no session of the last weeks is known to be the agent's own.";
  const days = own.days === 1 ? "a day" : `${wholeNumber(own.days)} days`;
  const rate = sessionsADay < 10 ? sessionsADay.toFixed(1) : wholeNumber(sessionsADay);
  return `A trial on real work would take about ${days} for ${inPercent(worth)} (${wholeNumber(own.sessions)} sessions, ${rate} a day) and costs nothing.`;
}

/** `10 %`. */
function inPercent(share: number): string {
  return percent(100 * share).replace("%", " %");
}
