import { countOnce } from "../../usage/agent-record.ts";
import type { AgentSession } from "../agent-session.ts";
import type { CodexRecord } from "./read-rollout.ts";

/**
 * What the sessions used, each record once. A fork or subagent of an older version repeats its parent's history with new
 * times, and may lack every mark of it; but a copy shares its total and its last usage with the original.
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
