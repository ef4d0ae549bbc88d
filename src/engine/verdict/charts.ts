import type { Question, RunSample } from "./verdict.ts";

/**
 * Evidence since one point in time about an active rule. A rule may turn harmful at any time, and its earlier savings
 * must not hide that. So each audit begins a chart of its own, without any earlier evidence (Lorden 1971: one
 * sequential test begun at each time detects a change; its false alarms are as rare as the tests' error rates are
 * small). The first chart begins with the first audit: the evidence that admitted a rule was selected for being good.
 */
export interface Chart {
  /** Its first round. */
  readonly from: number;
  /** The chart's error rate, over all its looks. */
  readonly alpha: number;
}

/**
 * Parts of a question's error rate: for the first chart, and for each that begins with a later audit. A chart of n
 * rounds has spent the square of n over the planned rounds. So by the end of the plan, six audits, a rule without
 * effect is falsely evicted in less than `alpha`, and each further audit adds at most 0.08 of that. `npm run bench --
 * verdicts` simulates it.
 */
const [partOfFirst, partOfLater] = [0.65, 0.08];
/** Maximum audits in a chart other than the first: later charts see the same rounds. */
const maxAudits = 6;

/** Returns the charts of an active rule's evidence, the one with most rounds first. */
export function chartsOf(samples: readonly RunSample[], { alpha }: Pick<Question, "alpha">): Chart[] {
  const starts = auditStarts(samples);
  return starts.flatMap((start, index) => {
    if (index > 0 && starts.length - index > maxAudits) return [];
    return [{ from: start, alpha: alpha * (index === 0 ? partOfFirst : partOfLater) }];
  });
}

/** Returns the runs of the current measurement. */
export function ownSamples(samples: readonly RunSample[]): RunSample[] {
  return samples.filter(({ measured }) => measured === undefined);
}

/** Returns the first round of each audit, the current one included. */
function auditStarts(samples: readonly RunSample[]): number[] {
  const starts = new Map<string, number>();
  for (const { measured, round } of samples)
    if (measured?.isAudit !== false) {
      const id = measured === undefined ? "" : `earlier ${measured.id}`;
      starts.set(id, Math.min(round, starts.get(id) ?? Infinity));
    }
  // Evidence without a kind begins with the measurement that admitted the rule.
  const first = samples.reduce<RunSample | null>(
    (least, sample) => (least === null || sample.round < least.round ? sample : least),
    null,
  );
  if (first?.measured?.isAudit === null) starts.delete(`earlier ${first.measured.id}`);
  return [...starts.values()].sort((one, other) => one - other);
}
