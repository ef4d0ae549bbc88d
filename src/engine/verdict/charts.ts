import type { Question, RunSample } from "./verdict.ts";

/**
 * Evidence since one point in time about an active rule. A rule may turn harmful at any time, and what it saved before
 * must not hide that. So each audit begins a chart of its own, which sees nothing from before (Lorden 1971: one sequential
 * test begun at each time detects a change; its false alarms are as rare as the tests' error rates are small). The first
 * chart begins with the first audit: the evidence that admitted a rule was selected for being good.
 */
export interface Chart {
  /** Its first round. */
  readonly from: number;
  /** The chart's error rate, over all its looks. */
  readonly alpha: number;
}

/**
 * Parts of a question's error rate: of the first chart, and of each that begins with a later audit. A chart of n rounds has
 * spent the square of n over what is planned. So by the end of the plan, six audits, a rule that does nothing is falsely
 * evicted in less than `alpha`, and each further audit adds 0.08 of that at most. `npm run bench -- verdicts` simulates it.
 */
const [partOfFirst, partOfLater] = [0.65, 0.08];
/** A chart that is no first one ends with this many audits: later ones see the same rounds. */
const longest = 6;

/** Returns the charts of an active rule's evidence, the one with most rounds first. */
export function chartsOf(samples: readonly RunSample[], { alpha }: Pick<Question, "alpha">): Chart[] {
  const starts = auditStarts(samples);
  return starts.flatMap((start, index) => {
    if (index > 0 && starts.length - index > longest) return [];
    return [{ from: start, alpha: alpha * (index === 0 ? partOfFirst : partOfLater) }];
  });
}

/** Returns the runs of the present measurement. */
export function ownSamples(samples: readonly RunSample[]): RunSample[] {
  return samples.filter(({ measured }) => measured === undefined);
}

/** Returns the first round of each audit, the present one included. */
function auditStarts(samples: readonly RunSample[]): number[] {
  const starts = new Map<string, number>();
  for (const { measured, round } of samples)
    if (measured?.isAudit !== false) {
      const id = measured === undefined ? "" : `earlier ${measured.id}`;
      starts.set(id, Math.min(round, starts.get(id) ?? Infinity));
    }
  // Evidence that does not say what it is begins with the measurement that admitted the rule.
  const first = samples.reduce<RunSample | null>(
    (least, sample) => (least === null || sample.round < least.round ? sample : least),
    null,
  );
  if (first?.measured?.isAudit === null) starts.delete(`earlier ${first.measured.id}`);
  return [...starts.values()].sort((one, other) => one - other);
}
