import { percent, wholeNumber } from "../../engine/base/format.ts";
import type { LearnedView, ReportView } from "../../engine/service/rules-view.ts";
import { outsideText } from "../components/outside.ts";
import { plural } from "../components/figures.ts";
import { moment } from "../components/times.ts";

/** What the panel says, where it is more than a word. */

export const misunderstood =
  "The panel and its host are of different versions. Close this panel and open it again.";

export const notes = {
  agents:
    "The last 200 completed runs of real work of each agent; golden tasks are not among them. Median and p75 (three of four runs took no " +
    "more) are measured processing tokens. Rent is estimated; what rules save was measured per completed run.",
  suites:
    "Processing tokens of an agent's golden tasks together: the first completed run of each, which is frozen, the best, and the last with " +
    "the agent as it is. Candidates' runs are not among them.",
  learning:
    "Real work's processing tokens per completed run, by the version of the agent's memory that the run began with. A dot is the median, " +
    "its bar holds the middle half of the runs. Other work may take other tokens: this shows a trend, a receipt is the proof.",
  projects: "Measured processing tokens of the same runs, the 20 largest projects.",
  evictions:
    "The last ten rules that left, or never got in, and why. Each opens in Rule Review with its receipts.",
  questions:
    "Messages between agents that were held for somebody to decide about, and were not answered so far.",
};

/** `18%` of real work; above all of it too. */
export function shareInWords(share: number): string {
  return share < 1 ? percent(share * 100) : `${wholeNumber(share * 100)}%`;
}

/** `-12%`. */
export function changeInWords(value: number, reference: number): string {
  const change = Math.round((value / reference - 1) * 100);
  return `${change > 0 ? "+" : ""}${change}%`;
}

/** What measuring took, in a sentence. */
export function metaCostInWords({ benches, share }: ReportView["metaCost"]): string {
  if (benches === 0) return "Benchmarks took nothing in the same time.";
  const took = `Benchmarks took ${wholeNumber(benches)} in the same time`;
  return share === null ? `${took}; there was no real work.` : `${took}, ${shareInWords(share)} of it.`;
}

export function versionName({ version }: Pick<LearnedView, "version">): string {
  return version === null ? "No memory yet" : `Version ${outsideText(version, 24)}`;
}

/** `Version 3 · Nov 20, 14:02 · 2 rules · 5 runs`. */
export function learnedInWords(learned: LearnedView, now: number): string {
  const { at, rules, runs } = learned;
  return [
    versionName(learned),
    ...(at === null ? [] : [moment(at, now)]),
    ...(rules === null ? [] : [plural(rules, "rule", "rules")]),
    plural(runs, "run", "runs"),
  ].join(" · ");
}
