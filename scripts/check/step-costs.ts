import type { Outcome } from "./run-step.ts";

/**
 * Describes the duration of each step that ran, slowest first, with its share of all steps' time, and its processor time. Steps run in
 * parallel, so the sum exceeds the elapsed time.
 */
export function stepCosts(
  outcomes: readonly Pick<Outcome, "step" | "seconds" | "processor" | "state">[],
): readonly string[] {
  const ran = outcomes.filter(({ state }) => state !== "skipped");
  const sum = ran.reduce((all, { seconds }) => all + seconds, 0);
  return ran
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ step, seconds, processor }) => {
      const share = sum === 0 ? 0 : (seconds / sum) * 100;
      const used = processor === null ? "" : `, ${processor.toFixed(0)} s of processor`;
      return `${step.name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s ${share.toFixed(0).padStart(3)} %${used}`;
    });
}
