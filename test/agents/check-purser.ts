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
    grouped(usage, (row) => plainModel(row.model ?? "")),
    Object.fromEntries(sent.map(([model, sum]): [string, Tokens] => [model, tokens(sum)]).sort(byKey)),
  );
  const total = sent.map(([, sum]): TokenUsage => sum).reduce(addUsage);
  assert.deepEqual(pickTokens(usage.totals), tokens(total));
}

/** `usage --by session`: each response once, in the session it was first sent in; subagents in their parent's. */
export function checkUsageBySession(expected: Expected, usage: PurserUsage): void {
  const sessions = expected.sessions.map(({ id, sum, subagents }): [string, Tokens] => {
    const all = subagents.map((subagent): TokenUsage => subagent.sum).reduce(addUsage, sum);
    return [id, tokens(all)];
  });
  assert.deepEqual(
    grouped(usage, (row) => row.key),
    Object.fromEntries(sessions.sort(byKey)),
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

function grouped(
  usage: PurserUsage,
  keyOf: (row: PurserUsage["rows"][number]) => string,
): Record<string, Tokens> {
  const groups = new Map<string, Tokens>();
  for (const row of usage.rows) {
    const held = groups.get(keyOf(row)) ?? { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
    groups.set(keyOf(row), {
      input: held.input + row.input,
      output: held.output + row.output,
      cacheCreation: held.cacheCreation + row.cacheCreation,
      cacheRead: held.cacheRead + row.cacheRead,
    });
  }
  return Object.fromEntries([...groups].sort(byKey));
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

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a.localeCompare(b);
}
