import { compose } from "../../../../src/engine/base/language.ts";
import { Emitter } from "../../../../src/engine/base/events.ts";
import { fail, succeed, type Failure } from "../../../../src/engine/base/result.ts";
import type { Anomaly, Freshness } from "../../../../src/engine/ledger/ledger-answers.ts";
import type { Collecting } from "../../../../src/engine/ledger/collect/collecting.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type {
  QuestionAnswer,
  QuestionName,
  QuestionParams,
} from "../../../../src/engine/ledger/questions/questions.ts";
import { UsageGroups } from "../../../../src/engine/usage/sum.ts";
import type { LedgerApi } from "../../../../src/engine/ledger/ledger-thread.ts";

const journal = {
  replayed: 0,
  last: 0,
  tornBytes: 0,
  damagedLines: 0,
  lost: 0,
  unreadable: 0,
  isNewer: false,
  faulty: [],
  bytes: 0,
};
const written = { bytes: 100, applied: 7, blockedMs: 0 };

type Answers = {
  -readonly [Name in QuestionName]: (
    asked: QuestionParams<Name>,
  ) => QuestionAnswer<Name> | Promise<QuestionAnswer<Name>>;
};

/** A ledger that reports a settable number of responses and does nothing. */
export class FakeLedger implements LedgerApi {
  readonly report: LedgerApi["report"] = {
    snapshot: "none",
    setAside: [],
    journal: { ...journal, lost: 3 },
    unfitting: [],
    migratedFrom: null,
    reread: false,
  };
  readonly calls: string[] = [];
  readonly told: LedgerEntry[] = [];
  readonly appended = new Emitter<number>();
  readonly onAppend = this.appended.on;
  readonly found = new Emitter<Anomaly>();
  readonly onAnomaly = this.found.on;
  readonly onProblem: LedgerApi["onProblem"] = new Emitter<Failure<never>>().on;
  readonly deaths = new Emitter<Error>();
  readonly onDeath = this.deaths.on;
  readonly readOnly: LedgerApi["readOnly"];
  unshown: Anomaly[] = [];
  /** Resolves when questions are to be answered. */
  answers: Promise<void> = Promise.resolve();

  constructor(readOnly: LedgerApi["readOnly"] = null) {
    this.readOnly = readOnly;
  }

  append: LedgerApi["append"] = (entries) => {
    this.told.push(...entries);
    return Promise.resolve(succeed({ last: this.told.length }));
  };
  collect: LedgerApi["collect"] = () => new FakeCollecting(this.calls);
  configure: LedgerApi["configure"] = (models) => {
    this.calls.push(`configure ${JSON.stringify(models)}`);
    return Promise.resolve();
  };
  readonly answersTo: Answers = {
    usage: async ({ by }) => {
      await this.answers;
      return new UsageGroups().report({ by, undated: 0 });
    },
    overview: () => Promise.reject(new Error("a bug")),
    why: () => null,
    sessionPage: () => null,
    sessionPlace: () => null,
    contextFill: () => null,
    anomalies: () => this.unshown,
    sessions: () => [],
    unjudgedCalls: () => [],
    responses: () => [],
    storedWork: () => ({ responses: [], calls: [], prompts: [], compactions: [], cwd: null }),
    claudeCompactions: () => [],
    ordinaryWork: () => [],
    positions: () => new Map(),
    position: () => null,
    readFiles: () => new Map(),
    recentRuns: () => ({ runs: 0, median: null, p75: null }),
    recentTokens: () => [9, 8],
    takeSpent: () => [],
    takeSpentFolders: () => [],
    spentIn: () => [],
    sessionFolders: () => [],
    ruleBook: () => ({ rules: [], steps: [], receipts: [], memories: [], questions: [] }),
    receipt: () => null,
    realRuns: () => [],
    rentFacts: () => ({ charactersPerToken: [], cachedAtStart: new Map() }),
    useCounts: () => ({ sessions: [], subagents: [], skills: [], charactersPerToken: [], usdPerToken: null }),
    trials: () => [],
    drawsOf: () => [],
    deliveredDraws: () => [],
    trialSessions: () => null,
    recentWork: () => [],
    goldenBook: () => ({ runs: [], baselines: [], spent: { realWork: 0, benches: 0 } }),
    reportFacts: () => ({
      suites: [],
      questions: { newest: [], count: 0, byAgent: [] },
      spent: { realWork: 0, benches: 0 },
    }),
    guardBook: () =>
      Promise.resolve({ counts: [], hits: [], days: [], scale: { charactersPerToken: 4, requests: 0 } }),
    sessionStates: () => [],
    newestPackets: () => Promise.resolve([]),
    packetOf: () => Promise.resolve(null),
    sessionOrigin: () => null,
    sessionsNamed: () => [],
    compactionDiffs: () => [],
    recentCompactions: () => [],
    handovers: () => [],
    sessionFigures: () => null,
    storedScorecard: () => null,
    machines: () => [],
    wakes: () => Promise.resolve([]),
    sentTexts: () => Promise.resolve([]),
    guardCounts: () => Promise.resolve([]),
    savedOutputs: () => Promise.resolve({ savings: [], wakes: [] }),
    guardEffects: () => Promise.resolve({ effects: [], advice: [] }),
    hookProfile: () => [],
    lastHooks: () => Promise.resolve([]),
    learnCursors: () => [],
    factsStamps: () => [],
    learnedSessions: () => [],
    sessionFacts: () => [],
    learnedBook: () => ({ learned: [], deadEnds: [], workingSet: [], effectiveness: [] }),
    phaseOutcomes: () => [],
  };

  async ask<Name extends QuestionName>(
    name: Name,
    asked: QuestionParams<Name>,
  ): Promise<QuestionAnswer<Name>> {
    return await this.answersTo[name](asked);
  }
  snapshot: LedgerApi["snapshot"] = () => this.#did("snapshot", succeed(written));
  compact: LedgerApi["compact"] = () => this.#did("compact", succeed(written));
  check: LedgerApi["check"] = () => this.#did("check", []);
  backup: LedgerApi["backup"] = (file) =>
    this.#did("backup", fail("exists", compose`${file} is there already`));
  close: LedgerApi["close"] = () => this.#did("close", undefined);

  /** Simulates the death of its thread. */
  die(): void {
    this.answers = Promise.reject(new Error("the ledger's thread has ended"));
    // Pending questions report it.
    this.answers.catch(() => undefined);
    this.deaths.fire(new Error("the ledger's thread has ended"));
  }

  #did<Answer>(what: string, answer: Answer): Promise<Answer> {
    this.calls.push(what);
    return Promise.resolve(answer);
  }
}

export class FakeCollecting implements Collecting {
  freshness: Freshness = { asOf: null, files: 2, done: 0, problems: [] };
  readonly calls: string[];
  readonly read = new Emitter<Freshness>();
  readonly onFreshness = this.read.on;
  /** Resolves when everything is read. */
  reading: Promise<void> = Promise.resolve();

  /** @param calls receives a record of each call */
  constructor(calls: string[]) {
    this.calls = calls;
  }

  async catchUp(signal?: AbortSignal): Promise<Freshness> {
    signal?.addEventListener("abort", () => this.calls.push("abort"));
    await this.reading;
    this.freshness = { asOf: 1000, files: 2, done: 2, problems: [] };
    return this.freshness;
  }

  addRoots(roots: Parameters<Collecting["addRoots"]>[0]): void {
    this.calls.push(...roots.map(({ path }) => `add ${path}`));
  }

  stop(): Promise<void> {
    this.calls.push("stop");
    return Promise.resolve();
  }

  dispose(): void {
    this.calls.push("dispose");
  }
}

export const anomaly: Anomaly = {
  id: "stall:s-1",
  sessionId: "s-1",
  agentId: null,
  cause: "stall",
  at: 5,
  value: 10,
  usual: null,
  turns: ["m1", "m2"],
  title: "The harbor",
  project: "/argo",
  program: "codex",
  shownAt: null,
};
