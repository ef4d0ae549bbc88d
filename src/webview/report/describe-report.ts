import { percent, signedPercent, wholeNumber } from "../../engine/base/local-format.ts";
import { t } from "../../engine/base/language.ts";
import type { ReportView } from "../../engine/rules/rules-answers.ts";

/** The panel's longer texts. */

export const notes = {
  agents: t(
    "The last 200 completed runs of real work of each agent; golden tasks are not among them. Median and p75 (three of four runs took no more) are measured new tokens. What rules cost per session (their rent) is estimated; what rules save was measured per completed run.",
  ),
  suites: t(
    "New tokens a run of an agent's golden tasks, which count by their weight, as in a benchmark: the first completed run of each, which is the baseline and never changes, the best, and the last of the unchanged agent.",
  ),
  active: t(
    "What is in agents' memories now. What a rule saves was measured per completed run, with and without it; its cost per session is estimated. Each opens in Rule Review with its receipts.",
  ),
  findings: t(
    "Runs that took more than three of four before them, with what their transcripts show. No rule is proposed of them, because it could not be measured or would reach nobody: what is missing is told.",
  ),
  projects: t("Measured new tokens of the same runs, the 20 largest projects."),
  evictions: t(
    "The last ten rules that left, or never got in, and why. Each opens in Rule Review with its receipts.",
  ),
  questions: t(
    "Messages between agents that were held for somebody to decide about. Those that are neither approved nor denied wait, were sent without asking, or could not be sent.",
  ),
};

/** A share of real work, such as `18%`. It may exceed 100 %. */
export function describeShare(share: number): string {
  return share < 1 ? percent(share * 100) : `${wholeNumber(share * 100)}%`;
}

/** The change from a reference, such as `−12%`. */
export function describeChange(value: number, reference: number): string {
  return signedPercent(value / reference - 1);
}

/** The cost of measuring, in a sentence. */
export function describeMetaCost({ benches, share }: ReportView["metaCost"]): string {
  if (benches === 0) return t("Benchmarks took nothing in the same time.");
  const took = wholeNumber(benches);
  return share === null
    ? t("Benchmarks took {0} in the same time; there was no real work.", took)
    : t("Benchmarks took {0} in the same time, {1} of it.", took, describeShare(share));
}
