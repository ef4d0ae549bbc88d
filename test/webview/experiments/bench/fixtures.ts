import { plainSentence } from "../../../../src/engine/base/language.ts";
import { isEvidence, type BenchRun } from "../../../../src/engine/bench/run-facts.ts";
import { figuresOfSide, figuresOfTasks, referencesOf } from "../../../../src/engine/jobs/task-figures.ts";
import type {
  BenchAsk,
  BenchChoices,
  JobState,
  JobSummary,
  JobView,
  RunPage,
} from "../../../../src/engine/jobs/bench-answers.ts";
import type { TrialHead } from "../../../../src/engine/rules/trial-answers.ts";
import type { HostMessage } from "../../../../src/webview/experiments/experiments-protocol.ts";
import { hourMs, now, randomFrom } from "../../ledger/fixtures.ts";

/** Synthetic benches, the same in every run. */

const titles: Readonly<Record<string, string>> = {
  "backend-01": "Refuse an order without a customer",
  "backend-02": "Page through orders, the newest first",
  "backend-03": "Do not lose a cent when an invoice is split",
  "backend-04": "Answer 409 when stock ran out meanwhile",
};
export const tasks = Object.entries(titles).map(([id, title]) => ({
  id,
  agent: "backend",
  title,
  weight: 1,
  hash: id,
}));
const others = ["frontend", "sql", "testing"].flatMap((agent) =>
  Array.from({ length: 4 }, (_, index) => ({
    id: `${agent}-0${index + 1}`,
    agent,
    title: `Task ${index + 1} of ${agent}`,
    weight: 1,
  })),
);

export const ask: BenchAsk = {
  kind: "bench",
  suite: { origin: "built-in" },
  agents: ["backend"],
  taskIds: null,
  model: "claude-sonnet-4-6",
  effort: null,
  driver: "claude",
  runs: 3,
  parallel: 1,
  tokenCap: null,
};

export const choices: BenchChoices = {
  suites: [
    {
      suite: { origin: "built-in" },
      agents: ["backend", "frontend", "sql", "testing"].map((name) => ({
        name,
        description: `Works on the ${name}`,
        model: "sonnet",
      })),
      tasks: [...tasks, ...others].map((task) => ({
        ...task,
        path: `/golden/${task.id}.md`,
        check: "node check.mjs",
      })),
      problem: null,
    },
  ],
  history: [],
  drafts: [],
  drivers: [
    { name: "claude", isReady: true, problem: null, recordedBy: [] },
    { name: "codex", isReady: false, problem: plainSentence("not installed"), recordedBy: [] },
    { name: "replay", isReady: true, problem: null, recordedBy: ["script"] },
  ],
  driver: "claude",
};

export const plan: NonNullable<JobView["plan"]> = {
  driver: "claude",
  recordedBy: [],
  runs: 12,
  made: 0,
  tokens: 512_000,
  cacheReadTokens: 3_100_000,
  usd: 3.4,
  expected: {
    perRun: 42_700,
    cacheReadPerRun: 258_000,
    spread: 0.21,
    source: "measured",
    because: plainSentence("your last 24 runs of these tasks"),
  },
  smallestSaving: null,
  tokenCap: null,
  metaCost: { realWork: 21_000_000, benches: 1_300_000, share: 0.062 },
  warnings: [],
  install: null,
};
export const freePlan: typeof plan = {
  ...plan,
  driver: "replay",
  recordedBy: ["script"],
  runs: 4,
  tokens: 0,
  cacheReadTokens: 0,
  usd: 0,
  metaCost: null,
};

export function makeRun(taskId: string, round: number, change: Partial<BenchRun> = {}): BenchRun {
  const tokens = change.processingTokens ?? 42_000;
  const { benchId = "b3" } = change;
  return {
    id: `${benchId}.${taskId}.${round}`,
    benchId,
    side: 0,
    configurationHash: "c3",
    role: "active",
    agent: "backend",
    taskId,
    taskHash: taskId,
    suiteHash: "s",
    fixtureHash: "f",
    model: "claude-sonnet-4-6",
    round,
    driver: "claude",
    recordedBy: null,
    outcome: "passed",
    detail: null,
    usage: {
      input: Math.round(tokens * 0.05),
      output: Math.round(tokens * 0.13),
      cacheCreation5m: Math.round(tokens * 0.82),
      cacheCreation1h: 0,
      cacheRead: tokens * 6,
    },
    processingTokens: tokens,
    turns: 14,
    toolCalls: 19,
    filesReread: 3,
    sessionId: "5e55",
    startedAt: now - hourMs,
    durationMs: 92_000,
    overheadMs: 640,
    checkMs: 2100,
    trajectory: "t.json",
    ...change,
  };
}

/** Runs of all rounds, near each task's usual tokens. */
function makeRuns(benchId: string, level: number, startedAt: number, rounds = 3): BenchRun[] {
  const random = randomFrom(level * 1000 + rounds);
  const usual = [34_000, 61_000, 42_000, 48_000];
  return tasks.flatMap(({ id }, index) =>
    Array.from({ length: rounds }, (_, round) =>
      makeRun(id, round + 1, {
        benchId,
        startedAt: startedAt + round * 1000,
        processingTokens: Math.round((usual[index] ?? 0) * level * (0.9 + random() * 0.2)),
      }),
    ),
  );
}

export interface ViewOptions {
  readonly state?: JobState;
  readonly runs?: readonly BenchRun[];
  readonly live?: JobView["live"];
  readonly change?: Partial<JobView>;
}

/** A finished bench with its history. */
export function makeView({
  state = { kind: "done" },
  runs,
  live = [],
  change = {},
}: ViewOptions = {}): JobView {
  const before = [
    { id: "b1", label: "no rules", level: 1, at: now - 240 * hourMs },
    { id: "b2", label: "rules v1", level: 0.93, at: now - 96 * hourMs },
  ].map((one) => ({ ...one, runs: makeRuns(one.id, one.level, one.at) }));
  const own = runs ?? makeRuns("b3", 0.78, now - hourMs);
  const references = referencesOf([...before.flatMap((one) => one.runs), ...own]);
  const figures = (all: readonly BenchRun[]) => {
    const of = { agent: "backend", model: "claude-sonnet-4-6", suiteHash: "s", driver: "claude" } as const;
    const reported = { side: 0, tasks, runs: all, of };
    const ofTasks = figuresOfTasks(reported, references);
    return { ofTasks, side: figuresOfSide(reported, ofTasks) };
  };
  const { ofTasks, side } = figures(own);
  const history = [...before, { id: "b3", label: "rules v2", at: now - hourMs, runs: own }]
    .map((one) => ({
      benchId: one.id,
      agent: "backend",
      label: plainSentence(one.label),
      configurationHash: one.id,
      at: one.at,
      figures: figures(one.runs).side,
    }))
    .filter((point) => point.figures.tokens !== null);
  const outline = {
    rounds: 3,
    sides: [
      {
        label: plainSentence("rules v2"),
        agent: "backend",
        model: "claude-sonnet-4-6",
        hash: "c3",
        suiteHash: "s",
        role: "active" as const,
      },
    ],
    tasks,
  };
  const spent = own.reduce((sum, run) => sum + run.processingTokens, 0);
  return {
    id: "b3",
    ask,
    state,
    at: now - hourMs,
    startedAt: now - hourMs,
    endedAt: state.kind === "done" ? now - hourMs / 2 : null,
    done: own.filter(isEvidence).length,
    of: 12,
    spent: { tokens: spent, usd: (3.4 * spent) / 512_000 },
    live: [...live],
    recordedBy: [],
    figures: [side],
    plan,
    ...outline,
    runs: [...own],
    taskFigures: ofTasks,
    history,
    ...change,
  };
}

/** A bench with half of its runs made, one in progress, one failed, and one lost to its environment. */
export function makeRunning(state: JobState = { kind: "running" }): JobView {
  const all = makeRuns("b3", 0.78, now - hourMs);
  const made = all.filter(({ round, taskId }) => round === 1 || (round === 2 && taskId < "backend-03"));
  const runs = made.map((run, index) => {
    if (index === 1)
      return {
        ...run,
        outcome: "failed" as const,
        detail: plainSentence("1 test failed: a customer is needed"),
      };
    if (index === 3)
      return {
        ...run,
        outcome: "environment" as const,
        detail: plainSentence("429: the week's limit is reached"),
      };
    return run;
  });
  const live = [
    {
      id: "b3.backend-03.2",
      side: 0,
      agent: "backend",
      taskId: "backend-03",
      round: 2,
      turns: 6,
      toolCalls: 9,
      tool: "Read src/services/invoice-service.ts",
      usage: makeRun("x", 1).usage,
      processingTokens: 17_300,
      startedAt: now - 41_000,
      elapsedMs: 41_000,
    },
  ];
  return makeView({ state, runs, live: state.kind === "running" ? live : [] });
}

export function makeSummary(view: JobView = makeView(), change: Partial<JobSummary> = {}): JobSummary {
  const { id, ask: asked, state, at, startedAt, endedAt, done, of, spent, live, recordedBy, figures } = view;
  return {
    id,
    ask: asked,
    state,
    at,
    startedAt,
    endedAt,
    done,
    of,
    spent,
    live,
    recordedBy,
    figures,
    ...change,
  };
}

export const choicesMessage = (change: Partial<BenchChoices> = {}, isTrusted = true): HostMessage => ({
  type: "choices",
  choices: { ...choices, ...change },
  isTrusted,
  prompts: [],
  ruleAgents: ["backend", "sql"],
});
export const jobsMessage = (jobs: JobSummary[], trials: TrialHead[] = []): HostMessage => ({
  type: "jobs",
  jobs,
  trials,
});
export const jobMessage = (view: JobView | null): HostMessage => ({
  type: "job",
  id: view?.id ?? "b3",
  view,
});
export const runMessage = (page: RunPage): HostMessage => ({
  type: "run",
  id: page.run.benchId,
  runId: page.run.id,
  page,
});
