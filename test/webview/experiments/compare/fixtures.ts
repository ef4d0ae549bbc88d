import { plainSentence } from "../../../../src/engine/base/language.ts";
import type { JobState, JobSummary, JobView } from "../../../../src/engine/jobs/bench-answers.ts";
import type {
  CompareAsk,
  CompareView,
  ComparisonView,
  InterimVerdict,
} from "../../../../src/engine/jobs/answers/compare.ts";
import { makeRun, makeSummary, makeView, plan as benchPlan, tasks } from "../bench/fixtures.ts";
import { hourMs, now } from "../../ledger/fixtures.ts";

/** Synthetic comparisons, the same in every run. */

export const ask: CompareAsk = {
  kind: "compare",
  suite: { origin: "built-in" },
  agent: "backend",
  change: { kind: "model", model: "haiku" },
  shared: [],
  rounds: null,
  model: "sonnet",
  effort: null,
  driver: "claude",
  parallel: 1,
  tokenCap: null,
};

export const plan: NonNullable<JobView["plan"]> = {
  ...benchPlan,
  runs: 96,
  tokens: 3_900_000,
  cacheReadTokens: 25_000_000,
  usd: 14.2,
  metaCost: null,
};

const interval = (value: number, low: number, high: number) => ({ value, low, high, level: 0.95 });

export const looks: InterimVerdict[] = [
  { saving: interval(9100, -31_000, 49_000), moreRuns: 40, tokens: 270_000 },
  { saving: interval(12_400, -4200, 29_000), moreRuns: 24, tokens: 541_000 },
  { saving: interval(13_900, 900, 26_900), moreRuns: 8, tokens: 806_000 },
].map((look, index) => ({ round: index + 1, decision: "undecided", stop: null, ...look }));

const passed = (count: number) => ({
  passed: count,
  runs: 16,
  rate: interval(count / 16, count / 16 - 0.2, Math.min(1, count / 16 + 0.1)),
});

const both = (before: number, after: number): [number, number] => [before, after];

export function makeResult(change: Partial<ComparisonView> = {}): ComparisonView {
  const values: readonly (readonly [number, number, number] | null)[] = [
    [8900, 5100, 12_700],
    [24_300, 14_000, 34_600],
    [15_800, -1200, 32_800],
    [5800, 1900, 9700],
  ];
  return {
    sentence: plainSentence(
      "haiku takes 13,700 tokens (8,200 to 19,200) a completed run, 31% (18% to 42%, 95% confidence) less than sonnet, and is shown to be as good.",
    ),
    reason: plainSentence("Four tasks were finished on both sides in four rounds."),
    decision: "saves",
    stop: "decided",
    saving: interval(13_700, 8200, 19_200),
    savingShare: interval(0.31, 0.18, 0.42),
    costShare: interval(0.58, 0.52, 0.63),
    bar: 0,
    sides: [
      {
        label: plainSentence("sonnet"),
        model: "claude-sonnet-4-6",
        effort: null,
        passed: passed(16),
        figures: {
          runs: 16,
          processingTokens: 44_200,
          cacheRead: 265_000,
          turns: 14.2,
          seconds: 96,
          usd: 0.31,
        },
      },
      {
        label: plainSentence("haiku"),
        model: "claude-haiku-4-5",
        effort: null,
        passed: passed(15),
        figures: {
          runs: 15,
          processingTokens: 30_500,
          cacheRead: 214_000,
          turns: 15.9,
          seconds: 61,
          usd: 0.13,
        },
      },
    ],
    tasks: tasks.map(({ id, title }, index) => {
      const [value, low, high] = values[index] ?? [null, null, null];
      return {
        taskId: id,
        title,
        value,
        low,
        high,
        runs: 4,
        made: both(4, 4),
        passed: both(4, index === 2 ? 3 : 4),
        isRegressed: false,
      };
    }),
    rounds: { own: 4, pooled: 0 },
    spent: { runs: 32, tokens: 1_195_000, usd: 4.4 },
    seed: 1,
    driver: "claude",
    recordedBy: [],
    receipt: { id: "r1", at: now - hourMs, markdown: "# Receipt of 2026-01-02\n\n## Saves\n\nFour tasks.\n" },
    ...change,
  };
}

/** The change broke one task, and another was never completed on both sides. */
export const regression = makeResult({
  sentence: plainSentence("haiku fails what sonnet does: backend-03 passed and fails now."),
  reason: plainSentence("backend-03 passed 4 of 4 as it is and 0 of 4 with the change."),
  decision: "regression",
  tasks: makeResult().tasks.map((task, index) =>
    index === 2
      ? { ...task, value: null, low: null, high: null, runs: 0, isRegressed: true, passed: [4, 0] }
      : task,
  ),
});

export interface ComparisonOptions {
  readonly state?: JobState;
  readonly comparison?: Partial<CompareView>;
  /** Number of finished rounds. */
  readonly rounds?: number;
  readonly change?: Partial<JobView>;
}

export function makeComparison({
  state = { kind: "done" },
  comparison = {},
  rounds = 4,
  change = {},
}: ComparisonOptions = {}): JobView {
  const runs = Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    tasks.flatMap(({ id }, task) =>
      [0, 1].map((side) =>
        makeRun(id, round, {
          id: `c1.${id}.${side}.${round}`,
          benchId: "c1",
          side,
          configurationHash: `c${side}`,
          model: side === 0 ? "claude-sonnet-4-6" : "claude-haiku-4-5",
          processingTokens: [34_000, 61_000, 42_000, 48_000][task] ?? 0,
          ...(side === 1 && task === 2 && round === 2
            ? { outcome: "failed", detail: plainSentence("1 test failed") }
            : {}),
        }),
      ),
    ),
  );
  const view = makeView({ state, runs: [] });
  return {
    ...view,
    id: "c1",
    ask,
    plan,
    runs,
    of: 96,
    done: runs.length,
    rounds: 12,
    history: [],
    figures: [],
    taskFigures: [],
    sides: ["sonnet", "haiku"].map((label, side) => ({
      label: plainSentence(label),
      agent: "backend",
      model: label,
      hash: `c${side}`,
      suiteHash: "s",
      role: side === 0 ? "active" : "candidate",
    })),
    tasks,
    spent: { tokens: 1_195_000, usd: 4.4 },
    comparison: {
      title: plainSentence("haiku vs. sonnet"),
      benchId: "compare-c1-1",
      attempt: 1,
      looks: [
        ...looks,
        {
          ...looks[2],
          round: 4,
          decision: "saves",
          stop: "decided",
          moreRuns: 0,
          tokens: 1_195_000,
          saving: makeResult().saving,
        },
      ],
      result: makeResult(),
      ...comparison,
    },
    ...change,
  };
}

export const askOfSeveral: CompareAsk = {
  ...ask,
  others: [
    { kind: "model", model: "gpt-5.5-mini" },
    { kind: "model", model: "opus" },
  ],
};

const perHundred = (value: number, low: number, high: number) => ({ value, low, high, level: 29 / 30 });

/** Three changes against the same runs: one is better, one is dearer, and one goes on. */
export function makeArms(state: JobState = { kind: "running" }): JobView {
  const [first] = looks;
  const last = first === undefined ? [] : [{ ...first, saving: perHundred(2100, -3900, 8200) }];
  const dearer = makeResult({
    sentence: plainSentence(
      "opus takes more than sonnet: it saves -9,800 tokens (-15,100 to -4,300) a completed run.",
    ),
    decision: "costs",
    saving: perHundred(-9800, -15_100, -4300),
    savingShare: perHundred(-0.22, -0.34, -0.1),
    costShare: perHundred(-0.5, -0.6, -0.4),
    rounds: { own: 3, pooled: 0 },
    spent: { runs: 40, tokens: 861_000, usd: 6.1 },
  });
  const arms: CompareView["arms"] = [
    {
      title: plainSentence("haiku vs. sonnet"),
      label: plainSentence("haiku"),
      state: "settled",
      looks,
      result: makeResult(),
    },
    {
      title: plainSentence("gpt-5.5-mini vs. sonnet"),
      label: plainSentence("gpt-5.5-mini"),
      state: state.kind === "done" ? "settled" : "measuring",
      looks: [...looks.slice(0, 2), ...last].map((look, index) => ({ ...look, round: index + 1 })),
      result:
        state.kind === "done"
          ? makeResult({
              sentence: plainSentence(
                "No difference found between gpt-5.5-mini and sonnet: −1,200 tokens a run (97% CI −4,400 to +2,100) after 3 of 12 rounds. More rounds would not decide it.",
              ),
              decision: "undecided",
              stop: "futile",
              saving: perHundred(1200, -2100, 4400),
              savingShare: perHundred(0.03, -0.05, 0.1),
            })
          : null,
    },
    {
      title: plainSentence("opus vs. sonnet"),
      label: plainSentence("opus"),
      state: "settled",
      looks,
      result: dearer,
    },
  ];
  const view = makeComparison({ state, rounds: 3, change: { ask: askOfSeveral, of: 227 } });
  const labels = ["sonnet", "sonnet (2)", "haiku", "gpt-5.5-mini", "opus"];
  return {
    ...view,
    runs: view.runs.flatMap((run) =>
      run.side === 0
        ? [run, { ...run, id: `${run.id}.2`, side: 1 }].slice(0, run.round === 2 ? 1 : 2)
        : [2, 3, 4].map((side) => ({ ...run, id: `${run.id}.${side}`, side, model: labels[side] ?? "" })),
    ),
    sides: labels.map((label, side) => ({
      label: plainSentence(label),
      agent: "backend",
      model: label.replace(" (2)", ""),
      hash: side < 2 ? "c0" : `c${side}`,
      suiteHash: "s",
      role: side < 2 ? ("active" as const) : ("candidate" as const),
    })),
    comparison: {
      title: plainSentence("haiku, gpt-5.5-mini, opus vs. sonnet"),
      benchId: "compare-c4-1",
      attempt: 1,
      looks: [],
      result: null,
      arms,
    },
  };
}

/** A comparison with three finished rounds and the fourth in progress. */
export function makeRunning(state: JobState = { kind: "running" }): JobView {
  const live: JobView["live"] = [
    {
      id: "c1.backend-01.1.4",
      side: 1,
      agent: "backend",
      taskId: "backend-01",
      round: 4,
      turns: 6,
      toolCalls: 8,
      tool: "Edit",
      usage: { input: 400, output: 2000, cacheCreation5m: 9000, cacheCreation1h: 0, cacheRead: 40_000 },
      processingTokens: 11_400,
      startedAt: now - 30_000,
      elapsedMs: 30_000,
    },
  ];
  return makeComparison({
    state,
    rounds: 3,
    comparison: { looks, result: null },
    change: { live: state.kind === "running" ? live : [], spent: { tokens: 806_000, usd: 2.9 } },
  });
}

export function makeListed(view: JobView = makeComparison(), change: Partial<JobSummary> = {}): JobSummary {
  const { comparison } = view;
  return { ...makeSummary(view), ...(comparison === undefined ? {} : { comparison }), ...change };
}
