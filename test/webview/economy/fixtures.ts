import { plainSentence } from "../../../src/engine/base/language.ts";
import type { EconomyView } from "../../../src/engine/recurring/recurring-answers.ts";
import { economyReportOf } from "../../../src/engine/recurring/figures/report.ts";
import type { Days, HostMessage } from "../../../src/webview/economy/economy-protocol.ts";
import { now } from "../ledger/fixtures.ts";

type Wake = EconomyView["wakes"][number];

const hour = 60 * 60_000;

export function makeWake(number: number, over: Partial<Wake> = {}): Wake {
  return {
    id: `w${number}`,
    agent: "keeper",
    project: "/tides/harbor",
    program: "claude",
    model: "claude-sonnet-4-6",
    taskId: "12",
    source: "timer",
    at: now - number * hour,
    endedAt: now - number * hour + 60_000,
    sessionId: `session-${number}`,
    reason: "reused",
    cause: null,
    resumeFailed: false,
    outcome: "completed",
    detail: null,
    turns: 4,
    input: 40,
    output: 900,
    cacheCreation5m: 2000,
    cacheCreation1h: 0,
    cacheRead: 50_000,
    normalizedInput: 7540,
    rawInput: 52_040,
    rawOutput: 900,
    usd: 0.04,
    fetchMode: "delta",
    fullFetches: 0,
    deltaFetches: 1,
    summaryFetches: 0,
    promptChars: 900,
    instructionsChars: 620,
    hasInstructions: true,
    skills: "purser-tasks",
    skillBytes: 310,
    skillsHash: "a1",
    definitionHash: "5e17a0b2c3",
    stateBefore: "in_progress",
    stateAfter: "in_progress",
    ...over,
  };
}

/** Wakes of two agents, the newest first; one agent's file has changed. */
function someWakes(): Wake[] {
  return [
    makeWake(1, { stateAfter: "done" }),
    makeWake(2),
    makeWake(3, {
      outcome: "environment",
      detail: plainSentence("quota"),
      input: null,
      output: null,
      cacheCreation5m: null,
      cacheCreation1h: null,
      cacheRead: null,
      normalizedInput: null,
      rawInput: null,
      rawOutput: null,
      usd: null,
    }),
    makeWake(4, {
      reason: "rotated",
      cause: "age",
      normalizedInput: 31_000,
      rawInput: 60_000,
      fullFetches: 1,
      fetchMode: "full",
    }),
    makeWake(5, {
      definitionHash: "0000000000",
      reason: "first",
      normalizedInput: 33_000,
      rawInput: 61_000,
      fullFetches: 1,
      fetchMode: "full",
    }),
    makeWake(6, {
      agent: "tidier",
      project: "/tides/quay",
      source: "manual",
      reason: "first",
      outcome: "failed",
      sessionId: null,
      skills: "",
    }),
  ];
}

/** Twelve wakes before a change of the agent's file, and twelve after it, which fail and leave their task blocked. */
export function failedSinceChange(): Wake[] {
  const each = Array.from({ length: 12 }, (_, index) => index);
  return [
    ...each.map((index) => makeWake(1 + index, { outcome: "failed", stateAfter: "blocked" })),
    ...each.map((index) => makeWake(40 + index, { definitionHash: "0000000000" })),
  ];
}

export function makeEconomy(over: Partial<EconomyView> = {}): EconomyView {
  const wakes = over.wakes ?? someWakes();
  return {
    report: economyReportOf(wakes, now - 30 * 24 * hour),
    wakes,
    ordinary: [
      {
        program: "claude-code",
        sessions: 41,
        returned: 9,
        returns: 14,
        inputPerSession: 210_400,
        normalizedInput: 8_626_400,
        wholeInput: 61_000_000,
        cacheHits: 0.93,
      },
    ],
    projects: ["/tides/harbor", "/tides/quay"],
    ...over,
  };
}

export function economyMessage(
  view: EconomyView,
  { days = 30, project = null }: { readonly days?: Days; readonly project?: string | null } = {},
): HostMessage {
  return { type: "economy", days, project, view };
}
