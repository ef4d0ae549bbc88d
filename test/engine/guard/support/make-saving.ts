import type { OutputSaving } from "../../../../src/engine/ledger/ledger-answers.ts";

const none = { calls: 0, tokens: 0 };

/** What the outputs of one session saved, which differs a little by its number. */
export function makeSaving(number: number, own: Partial<OutputSaving> = {}): OutputSaving {
  return {
    session: `s${number}`,
    day: "2026-11-21",
    rule: "smaller-output-tap",
    command: "npm test",
    tool: "Bash",
    program: "claude-code",
    isEvidence: true,
    at: number,
    outputs: 3,
    pending: 0,
    tokens: 900,
    requests: 30,
    gross: 1500 + (number % 5) * 100,
    atRisk: 3000,
    fetched: none,
    again: none,
    narrower: none,
    error: none,
    grossUsd: 0.01,
    minusUsd: 0,
    unpriced: 0,
    ...own,
  };
}
