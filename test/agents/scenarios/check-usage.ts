import assert from "node:assert/strict";
import type { UsageJson } from "../../../src/engine/cli/usage/usage-schema.ts";
import { addUsage } from "../../../src/engine/usage/token-counts.ts";
import type { TokenUsage } from "../../../src/engine/usage/token-counts.ts";
import type { Expected } from "./expected.ts";
import { groupTokens, pickTokens, tokensOf } from "./tokens.ts";
import type { Tokens } from "./tokens.ts";

/** Asserts that `usage --by model` matches what was sent for each model, and that the totals are the sum. */
export function checkUsageByModel(expected: Expected, usage: UsageJson): void {
  const sent = Object.entries(expected.byModel);
  assert.deepEqual(
    groupTokens(usage.rows, (row) => plainModel(row.model)),
    Object.fromEntries(sent.map(([model, sum]): [string, Tokens] => [model, tokensOf(sum)])),
  );
  const total = sent.map(([, sum]): TokenUsage => sum).reduce(addUsage);
  assert.deepEqual(pickTokens(usage.totals), tokensOf(total));
  const responses = sent.reduce((count, [, sum]) => count + sum.responses, 0);
  assert.equal(usage.totals.responses, responses);
  assert.deepEqual([usage.totals.unpriced, usage.undated, usage.problems], [0, 0, []]);
}

/**
 * Asserts that `usage --by session` counts each response once, in the session it was first sent in; subagents count in their parent's.
 *
 * @param keyOf the key a session is counted under; sessions share a key where only their sum is certain, such as forks by an agent that does
 * not mark what it copied
 */
export function checkUsageBySession(
  expected: Expected,
  usage: UsageJson,
  keyOf: (sessionId: string) => string,
): void {
  const sent = expected.sessions.flatMap(({ id, sum, subagents }) =>
    [sum, ...subagents.map((subagent) => subagent.sum)].map((of) => ({ key: keyOf(id), ...tokensOf(of) })),
  );
  assert.deepEqual(
    groupTokens(usage.rows, (row) => keyOf(row.key)),
    groupTokens(sent, (row) => row.key),
  );
}

/** The API's name of a model: rows of a `[1m]` session lack the suffix. */
function plainModel(model: string): string {
  return model.replace(/\[1m\]$/, "");
}
