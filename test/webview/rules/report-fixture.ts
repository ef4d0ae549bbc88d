import { plainSentence, sentence } from "../../../src/engine/base/language.ts";
import { missingOf } from "../../../src/engine/rules/needs.ts";
import type { LearnedView, ReportView, SuiteView } from "../../../src/engine/rules/rules-answers.ts";
import { now } from "../ledger/fixtures.ts";

type AgentReport = ReportView["agents"][number];
const day = 24 * 60 * 60_000;

function makeLearned(over: Partial<LearnedView> = {}): LearnedView {
  return {
    version: "3",
    at: now - 2 * day,
    rules: 2,
    runs: 14,
    mean: 43_900,
    median: 41_200,
    p25: 33_000,
    p75: 52_000,
    ...over,
  };
}

function makeSuite(over: Partial<SuiteView> = {}): SuiteView {
  return {
    model: "claude-sonnet-4-6",
    suiteHash: "5e17a0",
    driver: "claude",
    tasks: 4,
    run1: 103_075,
    best: 71_725,
    last: 75_437.5,
    lastAt: now - 5 * 3_600_000,
    ...over,
  };
}

export function makeAgent(over: Partial<AgentReport> = {}): AgentReport {
  return {
    program: "claude-code",
    agent: "test-writer",
    runs: 61,
    median: 48_300,
    p75: 66_100,
    weeks: [61_400, 55_200, 47_900, 48_300].map((median, index) => ({
      at: now - (4 - index) * 7 * 24 * 60 * 60_000,
      runs: 15,
      median,
    })),
    rent: 71,
    saving: 7100,
    rules: { candidate: 2, approved: 1, measured: 1, active: 2, shelved: 1, evicted: 3 },
    active: [
      {
        id: "r0000000001",
        text: "Read a file once and work from what you saw.",
        origin: "trajectory",
        saving: 5900,
        rent: 41,
        since: now - 7 * day,
        measuredAt: now - 2 * day,
      },
      {
        id: "r0000000002",
        text: "(when exploring) List a folder before files in it.",
        origin: "hand",
        saving: null,
        rent: 30,
        since: null,
        measuredAt: null,
      },
    ],
    learned: [
      makeLearned({
        version: null,
        at: null,
        rules: null,
        runs: 31,
        median: 61_400,
        p25: 44_000,
        p75: 83_000,
      }),
      makeLearned({
        version: "1",
        at: now - 12 * day,
        rules: 1,
        runs: 9,
        median: 55_200,
        p25: 43_100,
        p75: 71_000,
      }),
      makeLearned({
        version: "2",
        at: now - 7 * day,
        rules: 3,
        runs: 7,
        median: 47_900,
        p25: 39_000,
        p75: 60_500,
      }),
      makeLearned(),
    ],
    suites: [
      makeSuite(),
      makeSuite({ model: "claude-haiku-4-5", driver: "codex", last: null, lastAt: null }),
    ],
    ...over,
  };
}

/** A report with something of each kind. */
export function makeReport(over: Partial<ReportView> = {}): ReportView {
  const none = { candidate: 0, approved: 0, measured: 0, active: 0, shelved: 0, evicted: 0 };
  return {
    project: null,
    agents: [
      makeAgent({
        agent: "main",
        runs: 200,
        median: 122_400,
        p75: 230_100,
        weeks: [],
        rent: 0,
        saving: 0,
        rules: none,
        active: [],
        learned: [makeLearned({ version: null, at: null, rules: null, runs: 200 })],
        suites: [],
      }),
      makeAgent({
        program: "codex",
        agent: "reviewer\u202e",
        runs: 4,
        median: 21_000,
        p75: 24_800,
        learned: [],
        suites: [],
        active: [],
        rules: none,
        rent: 0,
        saving: 0,
      }),
      makeAgent(),
    ],
    projects: [
      { project: "/home/mara/harbor", runs: 171, tokens: 19_204_000 },
      { project: "/home/mara/tides/harbor", runs: 80, tokens: 6_310_500 },
      { project: "unknown", runs: 14, tokens: 702_000 },
    ],
    evictions: [
      {
        id: "r0000000005",
        agent: "test-writer",
        text: "Read each file at most twice.",
        at: now - 3 * day,
        why: plainSentence("It costs 310 tokens per completed run. (receipt x-1)"),
      },
      {
        id: "r0000000008",
        agent: "main",
        text: "(when exploring) List folders before files.",
        at: null,
        why: sentence("rejected: {why}", { why: "too vague" }),
      },
    ],
    receipts: 7,
    findings: [
      {
        runId: "s-9:m",
        sessionId: "s-9",
        agent: "main",
        at: now - 2 * 3_600_000,
        program: "claude-code",
        project: "/home/mara/harbor",
        tokens: 410_000,
        usual: 230_100,
        what: [plainSentence("It read /home/mara/harbor/tides.ts 4 times, and it was the same each time.")],
        missing: missingOf([{ kind: "main" }]),
      },
    ],
    questions: {
      byAgent: [
        { agent: "main", asked: 12, approved: 7, denied: 2 },
        { agent: "test-writer", asked: 3, approved: 0, denied: 1 },
      ],
      count: 2,
      newest: [
        {
          id: "q1",
          agent: "main",
          toAgent: "reviewer",
          at: now - 40 * 60_000,
          body: "Is the booking form meant to accept a tide table without a harbor?",
        },
        {
          id: "q2",
          agent: "test-writer",
          toAgent: null,
          at: now - 3 * day,
          body: "Which clock do the tests use?",
        },
      ],
    },
    metaCost: { realWork: 3_482_900, benches: 611_000, share: 611_000 / 3_482_900 },
    ...over,
  };
}
