import assert from "node:assert/strict";
import { addUsage, cacheCreation } from "../../src/engine/usage/token-usage.ts";
import type { TokenUsage } from "../../src/engine/usage/token-usage.ts";
import type { Expected, ExpectedSession } from "./expected.ts";
import type { PurserStatus, PurserUsage } from "./purser.ts";

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

/** `usage --by model` is what was sent, model by model, and its totals are their sum. */
export function checkUsageByModel(expected: Expected, usage: PurserUsage): void {
  const sent = Object.entries(expected.byModel);
  assert.deepEqual(
    grouped(usage.rows, (row) => plainModel(row.model)),
    Object.fromEntries(sent.map(([model, sum]): [string, Tokens] => [model, tokens(sum)])),
  );
  const total = sent.map(([, sum]): TokenUsage => sum).reduce(addUsage);
  assert.deepEqual(pickTokens(usage.totals), tokens(total));
}

/**
 * `usage --by session`: each response once, in the session it was first sent in; subagents in their parent's.
 *
 * @param tellsForks whether the agent marks what a fork copied. Where it does not, nothing tells which of the sessions
 * was first, and only their sum is sure.
 */
export function checkUsageBySession(expected: Expected, usage: PurserUsage, tellsForks: boolean): void {
  const keyOf = (id: string): string => (tellsForks ? id : "any session");
  const sent = expected.sessions.flatMap(({ id, sum, subagents }) =>
    [sum, ...subagents.map((subagent) => subagent.sum)].map((of) => ({ key: keyOf(id), ...tokens(of) })),
  );
  assert.deepEqual(
    grouped(usage.rows, (row) => keyOf(row.key)),
    grouped(sent, (row) => row.key),
  );
}

export function checkStatus(expected: Expected, status: PurserStatus, windowTokens: number): void {
  assert.deepEqual(
    status.sessions.map((session) => session.id).sort(),
    expected.sessions.map((session) => session.id).sort(),
  );
  for (const session of expected.sessions) {
    const shown = status.sessions.find((other) => other.id === session.id);
    assert.ok(shown !== undefined);
    assert.equal(shown.context.tokens, session.contextTokens, "context");
    assert.equal(shown.window.tokens, windowTokens, "window");
    if (windowTokens === 1_000_000) {
      assert.match(
        shown.window.provenance,
        /^(official|measured)$/,
        "the transcript proves the larger window",
      );
    }
    assert.equal(countOf(shown.compactions), session.compactions.length, "compactions");
    checkSubagents(session, shown);
  }
}

function checkSubagents(session: ExpectedSession, shown: PurserStatus["sessions"][number]): void {
  const names = (ids: readonly string[]): string[] => ids.map((id) => id.replace(/^agent-/, "")).sort();
  assert.deepEqual(
    names(shown.subagents.map((subagent) => subagent.id)),
    names(session.subagents.map((subagent) => subagent.agentId)),
    "subagents are listed apart",
  );
}

function countOf(compactions: number | readonly unknown[]): number {
  return typeof compactions === "number" ? compactions : compactions.length;
}

function grouped<Row extends Tokens>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Record<string, Tokens> {
  const groups = new Map<string, Tokens>();
  for (const row of rows) {
    const held = groups.get(keyOf(row)) ?? { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
    groups.set(keyOf(row), {
      input: held.input + row.input,
      output: held.output + row.output,
      cacheCreation: held.cacheCreation + row.cacheCreation,
      cacheRead: held.cacheRead + row.cacheRead,
    });
  }
  return Object.fromEntries(groups);
}

function tokens(usage: TokenUsage): Tokens {
  const { input, output, cacheRead } = usage;
  return { input, output, cacheCreation: cacheCreation(usage), cacheRead };
}

function pickTokens({ input, output, cacheCreation, cacheRead }: Tokens): Tokens {
  return { input, output, cacheCreation, cacheRead };
}

/** The API's name of a model: rows of a `[1m]` session do not carry the suffix. */
function plainModel(model: string): string {
  return model.replace(/\[1m\]$/, "");
}
