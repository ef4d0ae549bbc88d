import { makeSaving } from "../../engine/guard/support/make-saving.ts";
import {
  netViewOf,
  type AddedException,
  type GuardHit,
  type GuardReplay,
  type GuardRuleBook,
  type GuardRuleView,
  type GuardView,
} from "../../../src/engine/guard/guard-answers.ts";
import { plainSentence } from "../../../src/engine/base/language.ts";
import type { TriedRuleView } from "../../../src/engine/rules/trial-answers.ts";
import type { GuardTrial, HostMessage } from "../../../src/webview/guard/guard-protocol.ts";
import { hourMs, now, randomFrom } from "../ledger/fixtures.ts";

/** Synthetic answers about guard rules, the same in every run. */

const exampleRules: readonly GuardRuleView[] = [
  makeRule({
    id: "git-push-force",
    message: "Force-pushing replaces what others may have based their work on.",
    remedy: "Push with `--force-with-lease` to a branch of your own.",
    fires: ["git push --force", "git push -f origin main"],
    passes: ["git push", "git push --force-with-lease origin topic"],
  }),
  makeRule({
    id: "delete-outside-project",
    message: "This deletes files outside of the project.",
    remedy: "Name the files, and delete them one by one.",
    fires: ["rm -rf /var/tmp/data"],
    passes: ["rm -rf build"],
  }),
  makeRule({
    id: "print-secret-file",
    family: "secrets",
    message: "This prints a file that holds secrets into the context.",
    remedy: "Ask for the names of its variables only.",
    fires: ["cat .env"],
    passes: ["cat .env.example"],
  }),
  makeRule({
    id: "unbounded-log",
    family: "waste",
    action: "advise",
    message: "This prints the whole history.",
    remedy: "Add -n 20.",
    fires: ["git log"],
    passes: ["git log -n 20"],
  }),
  makeRule({
    id: "smaller-output-vitest",
    family: "output",
    action: "advise",
    message: "Most lines of this test run tell nothing.",
    remedy: "Run it with --reporter=dot.",
    fires: ["a test run of 400 lines of which 3 tell of failures"],
    passes: [],
  }),
  makeRule({
    id: "same-failure-again",
    family: "loops",
    action: "advise",
    message: "The same command failed the same way three times.",
    remedy: "Read the error, and change something before you run it again.",
    fires: ["npm test, failing three times without an edit between"],
    passes: [],
    isOff: true,
  }),
  makeRule({
    id: "no-deploy-on-friday",
    action: "deny",
    message: "This deploys.",
    remedy: "Wait until Monday.",
    fires: ["make deploy"],
    passes: ["make test"],
    isOwn: true,
  }),
  ...Array.from({ length: 30 }, (_, index) =>
    makeRule({
      id: `cloud-delete-${index + 1}`,
      message: `This deletes resource ${index + 1} of a cloud for good.`,
      remedy: "List it first, and delete it by name.",
      fires: [`cloud delete ${index + 1} --all`],
      passes: [`cloud list ${index + 1}`],
    }),
  ),
];

export function makeRule(own: Partial<GuardRuleView> = {}): GuardRuleView {
  return {
    id: "no-rule",
    family: "safety",
    action: "ask",
    message: "A message.",
    remedy: "A remedy.",
    fires: [],
    passes: [],
    isOff: false,
    isOwn: false,
    isChosen: false,
    ...own,
  };
}

export function makeBook(own: Partial<GuardRuleBook> = {}): GuardRuleBook {
  return {
    rules: exampleRules,
    file: "/home/mara/.purser/guard.yaml",
    problem: null,
    exceptions: [
      { rule: "delete-outside-project", folder: "/home/mara/scratch" },
      { rule: "unbounded-log", like: String.raw`\Agit log --stat\z`, until: "2026-11-30" },
      { rule: "print-secret-file", until: "2026-11-02" },
    ],
    ...own,
  };
}

export function makeHit(own: Partial<GuardHit> = {}): GuardHit {
  return {
    id: "toolu_1:git-push-force",
    sessionId: "3f2a77c1-0000-4000-8000-000000000001",
    title: "Tide tables by month",
    at: now - 600_000,
    program: "claude-code",
    tool: "Bash",
    rule: "git-push-force",
    family: "safety",
    action: "ask",
    done: "observed",
    excerpt: "git push --force origin main",
    folder: "/home/mara/tides",
    savedBytes: null,
    ...own,
  };
}

const exampleHits: readonly GuardHit[] = [
  makeHit(),
  makeHit({
    id: "toolu_2:smaller-output-vitest",
    at: now - 1_900_000,
    rule: "smaller-output-vitest",
    family: "output",
    action: "advise",
    excerpt:
      "npx vitest run --coverage src/tables/by-month src/tables/by-year src/harbors/depths src/harbors/currents",
    savedBytes: 48_211,
  }),
  ...[1, 2, 3].map((count) =>
    makeHit({
      id: `toolu_3${count}:unbounded-log`,
      at: now - 2_000_000 - count,
      rule: "unbounded-log",
      family: "waste",
      action: "advise",
      done: "repeated",
      excerpt: "git log",
    }),
  ),
  makeHit({
    id: "toolu_4:print-secret-file",
    sessionId: "9b1c",
    title: null,
    at: now - 26 * hourMs,
    program: "codex",
    rule: "print-secret-file",
    family: "secrets",
    done: "asked",
    excerpt: "cat .env",
  }),
  makeHit({
    id: "toolu_5:no-deploy-on-friday",
    at: now - 27 * hourMs,
    rule: "no-deploy-on-friday",
    action: "deny",
    done: "denied",
    excerpt: "make deploy",
  }),
  makeHit({
    id: "toolu_6:same-failure-again",
    at: null,
    program: null,
    rule: "same-failure-again",
    family: "loops",
    action: "advise",
    done: "advised",
    excerpt: null,
    folder: null,
  }),
  ...Array.from({ length: 12 }, (_, index) =>
    makeHit({
      id: `toolu_7${index}:cloud`,
      at: now - (30 + index) * hourMs,
      rule: `cloud-delete-${index + 1}`,
      excerpt: `cloud delete ${index + 1} --all --region north --yes`,
    }),
  ),
];

function makeEffect(own: Partial<GuardView["effects"][number]>): GuardView["effects"][number] {
  const none = { told: 0, followed: 0, progress: 0, ignored: 0, overridden: 0, mistaken: 0 };
  return { rule: "no-rule", ...none, helpsTooLittle: false, ...own };
}

const emptyNet = netViewOf({ savings: [], wakes: [] }, 0);

/** Nets of which one format is switched off for a command, and another was switched on again. */
export function makeNet(): GuardView["net"] {
  const outputs = (count: number, own: Parameters<typeof makeSaving>[1]) =>
    Array.from({ length: count }, (_, number) => makeSaving(number, own));
  const fetched = { calls: 2, tokens: 5200 };
  const savings = [
    ...outputs(40, { command: "npm test" }),
    ...outputs(24, { command: "kubectl get", rule: "smaller-output-json", fetched, minusUsd: 0.03 }),
    ...outputs(18, {
      command: "gh run view",
      rule: "smaller-output-logs",
      again: { calls: 1, tokens: 320 },
      narrower: { calls: 1, tokens: 240 },
    }),
    ...outputs(3, { command: "WebFetch", tool: "WebFetch", rule: "smaller-output-general", unpriced: 1 }),
  ];
  return netViewOf({ savings, wakes: [{ format: "smaller-output-npm:npm install", at: now - hourMs }] }, 0);
}

export function makeView(own: Partial<GuardView> = {}): GuardView {
  const random = randomFrom(7);
  const days = Array.from({ length: 7 }, (_, index) => `2026-11-${15 + index}`);
  const counts = new Map<string, GuardView["counts"][number]>();
  for (const { rule, family, action, done, at, savedBytes } of exampleHits) {
    const key = `${rule} ${done}`;
    const sum = counts.get(key) ?? { rule, family, action, done, count: 0, lastAt: at, savedBytes: 0 };
    counts.set(key, { ...sum, count: sum.count + 1, savedBytes: sum.savedBytes + (savedBytes ?? 0) });
  }
  return {
    modes: { all: "observe", families: {} },
    since: now - 7 * 24 * hourMs,
    counts: [...counts.values()].sort((one, other) => other.count - one.count),
    hits: exampleHits,
    days: days.flatMap((day) => [
      { day, family: "output", done: "observed", count: 4, ...saving(random() * 90_000) },
      { day, family: "waste", done: "observed", count: 2, ...saving(random() * 30_000) },
      { day, family: "safety", done: "observed", count: 1, ...saving(0) },
    ]),
    scale: { charactersPerToken: 3.6, requests: 40 },
    net: emptyNet,
    effects: [
      makeEffect({ rule: "unbounded-log", told: 30, ignored: 24, mistaken: 1, helpsTooLittle: true }),
      makeEffect({ rule: "print-secret-file", told: 5, followed: 2, progress: 1, overridden: 1 }),
      makeEffect({ rule: "same-failure-again", told: 2 }),
    ],
    ...own,
  };
}

/** A family on trial that is not decided. */
export function makeTried(own: Partial<TriedRuleView> = {}): TriedRuleView {
  return {
    id: "guard:output",
    perSession: null,
    prompts: null,
    saves: null,
    expected: null,
    chance: null,
    isHarmful: false,
    text: "output",
    status: null,
    isDrawn: true,
    verdict: "undecided",
    reason: plainSentence("fewer than 20 sessions"),
    saving: null,
    withIt: 6,
    withoutIt: 5,
    completed: null,
    uncorrected: null,
    benchmark: null,
    together: null,
    basis: null,
    missing: null,
    ...own,
  };
}

export function trialsMessage(...trials: readonly Partial<GuardTrial>[]): HostMessage {
  const made = trials.map((own): GuardTrial => ({
    id: "t0123456789",
    holdOut: null,
    switchesOff: false,
    agent: "*",
    project: null,
    startedAt: now - 26 * hourMs,
    stoppedAt: null,
    approvedBy: "user",
    ruleIds: (own.rules ?? [makeTried()]).map(({ id }) => id),
    planned: 1000,
    sessions: 11,
    rules: [makeTried()],
    analysed: 11,
    missing: [],
    ...own,
  }));
  return { type: "trials", trials: made };
}

const interval = (value: number, low: number, high: number) => ({ value, low, high, level: 0.9 });

/** A family that saves, one that is undecided, and one with which more prompts are interrupted. */
export const decidedTrial: Partial<GuardTrial> = {
  sessions: 151,
  rules: [
    makeTried({
      verdict: "saves",
      reason: null,
      saving: interval(0.06, 0.02, 0.1),
      withIt: 71,
      withoutIt: 69,
      completed: interval(0.01, -0.03, 0.05),
    }),
    makeTried({
      id: "guard:loops",
      text: "loops",
      reason: plainSentence("not shown yet"),
      saving: interval(0.04, -0.03, 0.11),
      withIt: 66,
      withoutIt: 74,
      completed: interval(0, -0.04, 0.04),
    }),
    makeTried({
      id: "guard:waste",
      text: "waste",
      reason: plainSentence("not shown yet"),
      saving: interval(0.02, -0.06, 0.1),
      withIt: 70,
      withoutIt: 70,
      completed: interval(-0.08, -0.14, -0.02),
    }),
  ],
};

/** Savings of so many bytes, at 3.6 characters per token. */
export function saving(bytes: number): { readonly savedBytes: number; readonly savedTokens: number } {
  return { savedBytes: Math.round(bytes), savedTokens: Math.round(bytes / 3.6) };
}

export function emptyView(): GuardView {
  return makeView({
    counts: [],
    hits: [],
    days: [],
    scale: { charactersPerToken: 4, requests: 0 },
    effects: [],
  });
}

export function viewMessage(
  view: GuardView = makeView(),
  hasHooks = true,
  onSince: number | null = null,
): HostMessage {
  return { type: "view", days: 7, from: "2026-11-15", to: "2026-11-21", view, hasHooks, onSince };
}

export function rulesMessage(book: GuardRuleBook = makeBook(), hasProject = true): HostMessage {
  return { type: "rules", book, hasProject };
}

export function addedException(): AddedException {
  return {
    id: "x1",
    exception: {
      rule: "git-push-force",
      like: String.raw`\Agit push --force origin main\z`,
      until: "2026-12-21",
    },
    file: "/home/mara/.purser/guard.yaml",
    line: 12,
  };
}

const carried = { outputs: 3, written: 4200, read: 61_000, usd: 0.12, unpriced: 1 };
/** The findings of a replay of 12 sessions. */
export const replay: GuardReplay = {
  since: "2026-10-26T00:00:00.000Z",
  files: 40,
  sessions: 12,
  calls: 1840,
  leftOut: { files: 2, families: ["facts"] },
  rules: [
    {
      rule: "delete-home",
      family: "safety",
      action: "ask",
      count: 2,
      sessions: 1,
      newest: [
        { at: null, agent: "claude-code", session: "s", folder: null, excerpt: "rm -rf ~ <img src=x>" },
      ],
    },
  ],
  outputs: {
    total: carried,
    byRule: [{ rule: "smaller-output-packages", ...carried }],
    how: plainSentence("counted by words"),
  },
};
