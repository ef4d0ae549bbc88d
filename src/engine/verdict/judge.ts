import { decideOnce, judgeAgainst, type Decision } from "./judge-once.ts";
import { chanceOfBreak } from "./retention.ts";
import { gather, gatheredSince } from "./statistics/pairs.ts";
import type { Question, RunSample, StopReason, Verdict, VerdictKind } from "./verdict.ts";

/**
 * Evidence since one point in time about an active rule. A rule may turn harmful at any time, and its earlier savings
 * must not hide that. So each audit begins a chart of its own, without any earlier evidence (Lorden 1971: one
 * sequential test begun at each time detects a change; its false alarms are as rare as the tests' error rates are
 * small). The first chart begins with the first audit: the evidence that admitted a rule was selected for being good.
 */
interface Chart {
  /** Its first round. */
  readonly from: number;
  /** The chart's error rate, over all its looks. */
  readonly alpha: number;
}

/**
 * Parts of a question's error rate: for the first chart, and for each that begins with a later audit. A chart of n
 * rounds has spent the square of n over the planned rounds. So by the end of the plan, six audits, a rule without
 * effect is falsely evicted in less than `alpha`, and each further audit adds at most 0.08 of that. `npm run bench --
 * verdicts-lives` simulates it.
 */
const [partOfFirst, partOfLater] = [0.65, 0.08];
/** Maximum audits in a chart other than the first: later charts see the same rounds. */
const maxAudits = 6;

/** Returns the charts of an active rule's evidence, the one with most rounds first. */
function chartsOf(samples: readonly RunSample[], { alpha }: Pick<Question, "alpha">): Chart[] {
  const starts = auditStarts(samples);
  return starts.flatMap((start, index) => {
    if (index > 0 && starts.length - index > maxAudits) return [];
    return [{ from: start, alpha: alpha * (index === 0 ? partOfFirst : partOfLater) }];
  });
}

function ownSamples(samples: readonly RunSample[]): RunSample[] {
  return samples.filter(({ measured }) => measured === undefined);
}

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

/** Judges samples as `decide` does, and describes the result. */
export function judge(samples: readonly RunSample[], question: Question): Verdict {
  return decide(samples, question).describe();
}

/**
 * Judges all samples together, after their last round; see `judge-once.ts`. An active rule is also judged by
 * the evidence since each of its audits, and only that decides against it: it may have changed since it was
 * admitted. The figures are then those of the rounds that show it. The order of samples does not change the
 * result.
 */
export function decide(samples: readonly RunSample[], question: Question): Decision {
  return question.kind === "re-audit"
    ? decideAudit(samples, question)
    : decideOnce(gather(samples), question);
}

function decideAudit(samples: readonly RunSample[], question: Question): Decision {
  const own = ownSamples(samples);
  const gathered = gather(samples);
  const rounds = gathered.rounds.length;
  const isLooked = rounds >= (question.firstLook ?? 1);
  for (const { from, alpha } of chartsOf(samples, question)) {
    const since = gatheredSince(gathered, from);
    const asked = { ...question, alpha };
    if (!judgeAgainst(since, asked).isShown) continue;
    const decision = decideOnce(since, asked);
    const stop = isLooked ? "decided" : null;
    return { ...decision, stop, describe: () => ({ ...decision.describe(), stop }) };
  }
  const whole = decideOnce(gathered, question);
  const isKept = whole.kind === "saves" || whole.kind === "cheaper-not-as-good";
  const kind: VerdictKind = isKept ? whole.kind : "undecided";
  const isWorse = kind === "cheaper-not-as-good" && whole.stop === "decided";
  const isSpent =
    rounds >= question.maxRounds || (question.tokenCap !== null && whole.tokensSpent >= question.tokenCap);
  const isQuiet = !isSuspicious(own, question);
  const quiet = kind === "saves" ? "decided" : "futile";
  const stop: StopReason | null = !isLooked
    ? null
    : isWorse
      ? "decided"
      : isQuiet
        ? quiet
        : isSpent
          ? "cap"
          : null;
  const decided = { kind, belowBar: false, stop };
  return { ...whole, ...decided, describe: () => whole.describe(decided) };
}

/**
 * Standard deviations of the evidence that a rule costs tokens, from which on an audit continues. If rules share their
 * runs, a further round costs each of them little. Chosen with `npm run bench -- verdicts-lives` and `bench --
 * verdicts-together`.
 */
const suspicion = { alone: 0, together: -1.5 };
/** Chance that noise alone makes this many runs fail, below which an audit continues. */
const unlikely = 0.25;

/**
 * Whether this audit's own runs suggest that the rule costs tokens or breaks something, or are inconclusive. Only then
 * are more rounds worth their tokens. The time to stop may depend on the runs: the boundaries hold at every look that
 * is taken.
 */
function isSuspicious(own: readonly RunSample[], question: Question): boolean {
  const { forCost, isShown } = judgeAgainst(gather(own), question);
  const isShared = own.some(({ together = [] }) => together.length > 0);
  const least = isShared ? suspicion.together : suspicion.alone;
  if (isShown || forCost === null || forCost > least) return true;
  const side = (index: 0 | 1) => {
    const runs = own.filter((sample) => sample.side === index);
    return { runs: runs.length, passed: runs.filter(({ passed }) => passed).length };
  };
  return chanceOfBreak(side(0), side(1)) < unlikely;
}
