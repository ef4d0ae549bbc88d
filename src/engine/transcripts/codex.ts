/** Reads the rollouts of Codex. */
import { countOnce } from "../usage/aggregate.ts";
import type { AgentSession } from "./agent-session.ts";
import type { CodexRecord } from "./codex/read-rollout.ts";

export { readRollout } from "./codex/codex-attribution.ts";
export { findRollouts } from "./codex/codex-files.ts";
export type { CodexRecord } from "./codex/read-rollout.ts";

/**
 * Counts each usage record of the sessions once. A fork or subagent of an older version repeats its parent's history
 * with new times, and may lack every marker of a copy; but a copy has the same total and last usage as the original.
 */
export function countRollouts(sessions: readonly AgentSession<CodexRecord>[]): CodexRecord[] {
  const pairs = new Map<string, Set<string>>();
  for (const { facts, records } of sessions) {
    const known = pairs.get(facts.sessionId) ?? new Set<string>();
    pairs.set(facts.sessionId, known);
    for (const { pair } of records) if (pair !== null) known.add(pair);
  }
  return countOnce(
    sessions.flatMap(({ facts, records }) => {
      const inherited = pairs.get(facts.parentId ?? "");
      return records.filter(
        ({ origin, pair }) => origin !== "unsure" || pair === null || inherited?.has(pair) !== true,
      );
    }),
  );
}
