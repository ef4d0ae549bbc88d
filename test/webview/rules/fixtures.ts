import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import type { JobSummary } from "../../../src/engine/jobs/bench-answers.ts";
import type { ComparisonView, InterimVerdict } from "../../../src/engine/jobs/answers/compare.ts";
import type { RuleProgress, SelectAsk, SetProgress } from "../../../src/engine/jobs/answers/select.ts";
import type {
  EvidenceView,
  MemoryView,
  RulesView,
  RuleView,
} from "../../../src/engine/rules/rules-answers.ts";
import { choices, freePlan, makeSummary, plan } from "../experiments/bench/fixtures.ts";
import { now } from "../ledger/fixtures.ts";

const minute = 60_000;

export function makeRule(over: Partial<RuleView> = {}): RuleView {
  return {
    id: "r0000000001",
    agent: "test-writer",
    scope: null,
    status: "candidate",
    isProtected: false,
    sentence: "Read a file once and work from what you saw; after an edit read only the changed lines again.",
    strikes: 0,
    origin: "hand",
    source: null,
    saving: null,
    createdAt: now - 90 * minute,
    rent: {
      cost: 33,
      isMeasured: false,
      own: 24,
      prefix: 9,
      total: 33,
      because: plainSentence("estimated: counted by words"),
    },
    decidedAt: null,
    decidedReason: null,
    auditedAt: null,
    replaces: null,
    similar: [],
    receipts: [],
    steps: [
      {
        at: now - 90 * minute,
        who: "user",
        from: null,
        to: "candidate",
        why: plainSentence("written by hand"),
      },
    ],
    canUndo: false,
    ...over,
  };
}

const receipts = [{ id: "x-1", at: now - 30 * minute, verdict: "saves", isDemo: false }];

/** One rule of each kind. */
export function makeRules(): RulesView {
  return {
    rules: [
      makeRule({
        origin: "trajectory",
        source: {
          kind: "run",
          sessionId: "5e550001",
          transcript: "/home/mara/.claude/projects/-harbor/5e550001.jsonl",
          finding: plainSentence(
            "/home/mara/harbor/src/tides.ts was read 4 times without having changed: 61,200 characters again",
          ),
          turns: [12, 31, 58, 90].map((line) => ({ line, what: "Read /home/mara/harbor/src/tides.ts" })),
        },
        similar: [
          { id: "r0000000005", text: "Read each file at most twice.", status: "evicted", likeness: 0.44 },
        ],
      }),
      makeRule({
        id: "r0000000002",
        scope: "editing tests",
        sentence: "Run the one file you changed before the whole suite.",
        status: "measured",
        saving: 4210,
        auditedAt: now - 30 * minute,
        receipts,
        canUndo: false,
      }),
      makeRule({
        id: "r0000000003",
        status: "approved",
        sentence: "List a folder before you open files in it.",
        canUndo: true,
      }),
      makeRule({
        id: "r0000000004",
        status: "active",
        saving: 2890,
        isProtected: true,
        strikes: 1,
        receipts,
        sentence: "Search once with one pattern for all names you need.",
        auditedAt: now - 3000 * minute,
      }),
      makeRule({
        id: "r0000000005",
        status: "evicted",
        saving: -310,
        receipts,
        origin: "model",
        sentence: "Read each file at most twice.",
        decidedReason: plainSentence("It costs 310 tokens per completed run. (receipt x-1)"),
      }),
      makeRule({
        id: "r0000000006",
        agent: "reviewer\u202e",
        status: "shelved",
        sentence: "Note what you found before you go on.",
      }),
    ],
    memories: [makeMemory()],
  };
}

const sentences = [
  "Read a file once and work from what you saw; after an edit read only the changed lines again.",
  "Search once with one pattern for all names you need, and open only the files it found; a second search for a part of the same is never needed, and costs as much again.",
  "Run the one file you changed before the whole suite.",
];
const statuses = ["candidate", "candidate", "candidate", "approved", "active", "shelved", "evicted"] as const;

/** Rules of every kind except passed ones, most of them waiting; each has details below its sentence. */
export function makeManyRules(count: number): RulesView {
  const rules = Array.from({ length: count }, (_, index) => {
    const sentence = `${index + 1}: ${sentences[index % sentences.length] ?? ""}`;
    return makeRule({
      id: `m${String(index + 1).padStart(9, "0")}`,
      sentence,
      createdAt: now - index * minute,
      status: statuses[index % statuses.length] ?? "candidate",
      agent: index % 5 === 0 ? "reviewer" : "test-writer",
      steps: Array.from({ length: 12 }, (_one, step) => ({
        at: now - (90 - step) * minute,
        who: "user",
        from: null,
        to: "candidate" as const,
        why: plainSentence(`step ${step + 1}`),
      })),
    });
  });
  return { rules, memories: count === 0 ? [] : [makeMemory()] };
}

export function makeMemory(over: Partial<MemoryView> = {}): MemoryView {
  const mine = "- My own notes on the harbor.";
  const next = [
    "<!-- purser v3 0123456789ab: generated from measured rules -->",
    "- Search once with one pattern for all names you need.",
  ];
  return {
    agent: "test-writer",
    file: "/home/mara/.claude/agent-memory/test-writer/MEMORY.md",
    state: "foreign",
    text: `${mine}\n`,
    next: `${next.join("\n")}\n`,
    isCurrent: false,
    leftOut: [],
    diff: [{ sign: "-", text: mine }, ...next.map((text) => ({ sign: "+" as const, text }))],
    versions: [{ version: "2", at: now - 3000 * minute, rules: 1, madeBy: "purser" }],
    ...over,
  };
}

export function makeEvidence(over: Partial<EvidenceView> = {}): EvidenceView {
  const tasks = ["add-tide-test", "fix-flaky-clock", "cover-parser"];
  return {
    receiptId: "x-1",
    verdict: "saves",
    bar: 66,
    saving: { value: 4210, low: 1650, high: 6780 },
    reason: plainSentence(
      "It saves 4,210 tokens per completed run, from 1,650 to 6,780, and passes as often.",
    ),
    tasks: tasks.map((taskId, index) => ({
      taskId,
      pairs: 4,
      tokens: [41_000 + index * 9000, 37_000 + index * 8200],
      passed: [4, 4],
      runs: [4, 4],
    })),
    pairs: tasks.flatMap((taskId, task) =>
      [1, 2, 3, 4].map((round) => ({ taskId, round, saved: 4200 + 2600 * Math.sin(task * 4 + round * 2.3) })),
    ),
    rounds: 4,
    runs: 24,
    tokens: 1_030_000,
    moreRounds: null,
    driver: "replay",
    recordedBy: ["script"],
    ...over,
  };
}

export const rulesMessage = (view: RulesView) => ({ type: "rules", view });
export const evidenceMessage = (id: string, evidence: EvidenceView | null) => ({
  type: "evidence",
  id,
  evidence,
});

export const selectAsk: SelectAsk = {
  kind: "select",
  suite: { origin: "built-in" },
  agent: "test-writer",
  ruleIds: null,
  audits: 1,
  model: null,
  effort: null,
  driver: "claude",
  parallel: 1,
  tokenCap: null,
};

const interval = (value: number, low: number, high: number) => ({ value, low, high, level: 0.95 });

function makeLook(round: number, over: Partial<InterimVerdict> = {}): InterimVerdict {
  return {
    round,
    decision: "undecided",
    stop: null,
    moreRuns: Math.max(0, 48 - 12 * round),
    saving: interval(4100, 4100 - 9000 / round, 4100 + 9000 / round),
    tokens: 410_000 * round,
    ...over,
  };
}

export function makeResult(): ComparisonView {
  const passed = { passed: 12, runs: 12, rate: interval(1, 0.76, 1) };
  const side = { model: "claude-sonnet-4-6", effort: null, passed, figures: null };
  return {
    sentence: plainSentence("With the rule, completed runs take 1,900 fewer new tokens, and as many pass."),
    reason: plainSentence("Saves 1,900 tokens a completed run, and is shown to be as good."),
    decision: "saves",
    stop: "decided",
    bar: 66,
    saving: interval(1900, 800, 3000),
    costShare: null,
    savingShare: interval(0.05, 0.02, 0.08),
    sides: [
      { ...side, label: plainSentence("without") },
      { ...side, label: plainSentence("with") },
    ],
    tasks: [],
    rounds: { own: 3, pooled: 0 },
    spent: { runs: 24, tokens: 1_030_000, usd: 3.2 },
    seed: 1,
    driver: "claude",
    recordedBy: [],
    receipt: { id: "x-9", at: now - 5 * minute, markdown: "# Receipt" },
  };
}

/** A selection with one decided rule, one being measured, and one waiting. */
export function makeSelection(over: Partial<JobSummary> = {}): JobSummary {
  const rule = { isAudit: false, looks: [], result: null, status: null };
  const rules: RuleProgress[] = [
    {
      ruleId: "r0000000002",
      title: "Run the one file you changed before the whole suite.",
      isAudit: false,
      state: "settled",
      status: "measured",
      result: makeResult(),
      looks: [makeLook(1), makeLook(2), makeLook(3, { decision: "saves", stop: "decided", moreRuns: null })],
    },
    {
      ...rule,
      ruleId: "r0000000003",
      title: "List a folder before you open files in it.",
      state: "measuring",
      looks: [makeLook(1), makeLook(2)],
    },
    {
      ...rule,
      ruleId: "r0000000004",
      title: "Search once with one pattern for all names you need.",
      state: "waiting",
      isAudit: true,
    },
  ];
  const summary = makeSummary();
  return {
    ...summary,
    id: "s1",
    ask: selectAsk,
    state: { kind: "running" },
    endedAt: null,
    done: 41,
    of: 288,
    spent: { tokens: 1_720_000, usd: 5.4 },
    live: [],
    recordedBy: [],
    figures: [],
    selection: { chosenAt: now - 60 * minute, isTogether: false, rules },
    ...over,
  };
}

/** A selection of five rules that share their runs, two of them settled. */
export function makeTogether(over: Partial<JobSummary> = {}): JobSummary {
  const [settled, open, last] = makeSelection().selection?.rules ?? [];
  assert.ok(settled && open && last);
  const look = (round: number, value: number, half: number) => [
    makeLook(round, { saving: { value, low: value - half, high: value + half, level: 0.9 }, moreRuns: 24 }),
  ];
  const rules: RuleProgress[] = [
    settled,
    { ...open, looks: look(7, 2600, 2900) },
    { ...last, isAudit: false, state: "measuring", looks: look(7, -300, 3100) },
    {
      ...open,
      ruleId: "r0000000005",
      title: "Read the error before you run it again.",
      looks: look(7, -4200, 3300),
    },
    { ...open, ruleId: "r0000000006", title: "Ask for one file at a time.", looks: [] },
  ];
  return makeSelection({ selection: { chosenAt: now - 60 * minute, isTogether: true, rules }, ...over });
}

/** The same selection at its end: two rules were found, and all that would be active are measured as a whole. */
export function makeWhole(over: Partial<SetProgress> = {}): JobSummary {
  const job = makeTogether();
  const rules = (job.selection?.rules ?? []).map((each, index) => ({
    ...each,
    state: "settled" as const,
    result: makeResult(),
    status: index < 2 ? ("measured" as const) : ("shelved" as const),
  }));
  const looks = [makeLook(3, { saving: { value: 4300, low: -200, high: 8800, level: 0.9 }, moreRuns: 24 })];
  const found = rules.slice(0, 2).map(({ ruleId }) => ruleId);
  const set: SetProgress = { found, state: "measuring", looks, result: null, decision: null, ...over };
  return { ...job, selection: { chosenAt: now - 60 * minute, isTogether: true, rules, set } };
}

/** @param problem why no agent is ready; null if one is */
export const offerMessage = (driver: SelectAsk["driver"] = "claude", problem: string | null = null) => ({
  type: "offer",
  agent: "test-writer",
  suite: { origin: "built-in" },
  driver,
  drivers: choices.drivers.map((each) =>
    problem === null || each.name === "replay" ? each : { ...each, isReady: false, problem },
  ),
});
export const planMessage = (ask: unknown, problem: string | null = null) => ({
  type: "plan",
  ask,
  problem,
  plan: problem === null ? plan : null,
});
export const freePlanMessage = (ask: unknown, install: typeof plan.install = null) => ({
  type: "plan",
  ask,
  plan: { ...freePlan, install },
  problem: null,
});
export const selectionsMessage = (jobs: JobSummary[]) => ({ type: "jobs", jobs });
