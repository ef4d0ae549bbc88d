import assert from "node:assert/strict";
import type { StatusJson } from "../../../src/engine/cli/sessions/sessions-outcome.ts";
import { addUsage, totalTokens } from "../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import type { Expected, ExpectedSession } from "./expected.ts";
import { tokensOf } from "./tokens.ts";

type ShownSession = StatusJson["sessions"][number];

/** Asserts that every session is shown once, with the figures that were sent to it. */
export function checkStatus(
  expected: Expected,
  status: StatusJson,
  windowTokens: (sessionId: string) => number,
): void {
  assert.deepEqual(status.problems, []);
  assert.deepEqual(
    status.sessions.map((session) => session.id).sort(),
    expected.sessions.map((session) => session.id).sort(),
  );
  for (const shown of status.sessions) {
    const session = expected.sessions.find((other) => other.id === shown.id);
    assert.ok(session !== undefined);
    checkContext(session, shown, windowTokens(session.id));
    checkSubagents(session, shown);
    const all = session.subagents.map((subagent): TokenUsage => subagent.sum).reduce(addUsage, session.sum);
    assert.deepEqual(shown.usage, tokensOf(all), "usage");
    assert.equal(shown.compactions, session.compactions.length, "compactions");
    assert.deepEqual(shown.skippedLines, {}, "skipped lines");
    assert.equal(shown.cost.provenance, "estimated");
  }
}

/**
 * Asserts that the agent's own total covers all it was sent, and that the difference is what no transcript
 * records.
 *
 * @param expected of one scenario
 */
export function checkReconciliation(expected: Expected, status: StatusJson): void {
  const ids = new Set(expected.sessions.map(({ id }) => id));
  const shown = status.sessions.filter(({ id }) => ids.has(id));
  assert.equal(shown.length, ids.size);
  for (const { id, cost } of shown) {
    assert.ok(cost.official !== null, `an official total of ${id}`);
    assert.equal(cost.official.isOld, false);
    // No scenario of more than one session has unwritten tokens.
    const isWhole = expected.unwritten.responses === 0;
    const difference = cost.official.difference.usd;
    assert.ok(difference !== null);
    assert.equal(difference > 0, !isWhole, `a difference of ${difference} USD`);
    assert.ok(difference >= 0);
    if (expected.sessions.length > 1) continue;
    const written = Object.values(expected.byModel).map((sum): TokenUsage => sum);
    assert.equal(cost.official.tokens, totalTokens(written.reduce(addUsage, expected.unwritten)));
  }
}

function checkContext(session: ExpectedSession, shown: ShownSession, windowTokens: number): void {
  assert.equal(shown.context.tokens, session.contextTokens, "context");
  // One decimal is shown.
  assert.ok(Math.abs((shown.context.percent ?? NaN) - (session.contextTokens / windowTokens) * 100) < 0.1);
  assert.equal(shown.window.tokens, windowTokens, "window");
  if (windowTokens === 1_000_000) {
    assert.match(shown.window.provenance, /^(official|measured)$/, "the transcript proves the larger window");
  }
}

/** Asserts that subagents are listed separately, each with its own context. All have ended by now. */
function checkSubagents(session: ExpectedSession, shown: ShownSession): void {
  const reported = session.subagents.map(({ agentId, model, contextTokens, sum }) => ({
    id: agentId,
    model,
    context: contextTokens,
    tokens: totalTokens(sum),
    running: false,
  }));
  const seen = shown.subagents.map(({ id, model, context, tokens, running }) => ({
    id,
    model,
    context: context.tokens,
    tokens,
    running,
  }));
  assert.deepEqual(seen.sort(byId), reported.sort(byId));
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id.localeCompare(b.id);
}
