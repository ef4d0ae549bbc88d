import { plainSentence } from "../../../src/engine/base/language.ts";
import type { TrialHead, TrialView } from "../../../src/engine/rules/trial-answers.ts";
import { now } from "../ledger/fixtures.ts";

const day = 24 * 60 * 60_000;
const [first, second] = ["r0000000003", "r0000000002"];

/** A running trial of two rules, with sessions of every kind. */
export function makeTrial(over: Partial<TrialView> = {}): TrialView {
  const session = {
    at: now - day,
    program: "claude-code",
    project: "/home/mara/harbor",
    given: [first],
    withheld: [second],
    completed: 9,
    interrupted: 1,
    failed: 0,
    corrections: 1,
    tokens: 21_340.5,
    leftOut: null,
  };
  const rule = {
    isDrawn: true,
    status: "approved" as const,
    completed: null,
    uncorrected: null,
    together: null,
    perSession: null,
    prompts: null,
    saves: 0.5,
    expected: 0,
    chance: 0.5,
    isHarmful: false,
  };
  return {
    id: "t1234567890",
    agent: "test-writer",
    project: "/home/mara/harbor",
    startedAt: now - 9 * day,
    stoppedAt: null,
    approvedBy: "user",
    ruleIds: [first, second],
    planned: 200,
    holdOut: 0.05,
    switchesOff: false,
    sessions: 3,
    rules: [
      {
        ...rule,
        id: first,
        text: "List a folder before you open files in it.",
        verdict: "saves",
        reason: null,
        completed: { value: -0.012, low: -0.043, high: 0.02, level: 0.9 },
        uncorrected: { value: 0.01, low: -0.026, high: 0.047, level: 0.9 },
        saving: { value: 0.123, low: 0.04, high: 0.19, level: 0.9 },
        perSession: { value: 0.11, low: 0.01, high: 0.2, level: 0.9 },
        prompts: { value: -0.01, low: -0.06, high: 0.05, level: 0.9 },
        saves: 0.98,
        expected: 0.094,
        chance: 0.95,
        withIt: 48,
        withoutIt: 52,
        benchmark: {
          receiptId: "c0000000001",
          at: now - 12 * day,
          verdict: "undecided",
          saving: { value: 0.08, low: -0.02, high: 0.17, level: 0.9 },
        },
        together: { value: 0.101, low: 0.04, high: 0.16, level: 0.9 },
        basis: "real-work",
        missing: null,
      },
      {
        ...rule,
        id: second,
        text: "(when editing tests) Run the one file you changed before the whole suite.",
        verdict: "undecided",
        reason: plainSentence("not shown yet"),
        saving: null,
        withIt: 55,
        withoutIt: 45,
        benchmark: null,
        basis: null,
        missing: plainSentence("not shown to save yet"),
      },
    ],
    drawn: [
      {
        ...session,
        id: "5e550003",
        given: [],
        leftOut: plainSentence("still running"),
        completed: 0,
        interrupted: 0,
        corrections: null,
        tokens: null,
      },
      { ...session, id: "5e550002", given: [first, second] },
      { ...session, id: "5e550001\u202e" },
    ],
    undrawn: [
      {
        id: "5e550009",
        at: now - 2 * day,
        program: "codex",
        project: null,
        leftOut: plainSentence("none of its hooks reached purser"),
      },
    ],
    undrawnCount: 1,
    analysed: 2,
    missing: [],
    ...over,
  };
}

/** The trial's entry in the list of all. */
export function makeHead(over: Partial<TrialHead> = {}): TrialHead {
  const { id, agent, project, startedAt, stoppedAt, approvedBy, ruleIds, planned, sessions } = makeTrial();
  const head = { id, agent, project, startedAt, stoppedAt, approvedBy, ruleIds, planned, sessions };
  return { ...head, holdOut: 0.05, switchesOff: false, ...over };
}

export const trialMessage = (trial: TrialView | null) => ({ type: "trial", agent: "test-writer", trial });

export const trialPlan = {
  agent: "test-writer",
  project: "/home/mara/harbor",
  holdOut: 0.05,
  switchesOff: false,
  rules: [{ id: first, text: "List a folder before you open files in it." }],
  programs: ["claude-code"],
  planned: 200,
};

/** @param problem why none can begin; null if one can */
export const trialPlanMessage = (problem: string | null = null, isEverywhere = false) => ({
  type: "trialPlan",
  agent: "test-writer",
  folder: "/home/mara/harbor",
  isEverywhere,
  plan: problem === null ? trialPlan : null,
  problem,
});
