import { plainSentence } from "../../../src/engine/base/language.ts";
import type { SessionSnapshot, SubagentSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { noUsage, type Figure } from "../../../src/engine/usage/token-counts.ts";

export const now = Date.parse("2026-11-02T10:00:00Z");

export function measured(value: number, source = "counted"): Figure {
  return { value, provenance: "measured", source: plainSentence(source) };
}

export const unknown: Figure = { value: null, provenance: "unknown", source: plainSentence("nobody tells") };

/** A live session at 38 % of a 200k window; each test changes the parts under test. */
export function session(changes: Partial<SessionSnapshot> = {}): SessionSnapshot {
  return {
    id: "5f0c0000-0000-4000-8000-000000000001",
    agent: "claude-code",
    title: "Find the hour",
    cwd: "/home/dev/harbor",
    workingIn: "/home/dev/harbor",
    folder: "/home/dev/harbor",
    branch: "main",
    transcript: "/home/dev/.claude/projects/-home-dev-harbor/5f0c.jsonl",
    lastActivity: now - 5000,
    asOf: null,
    live: true,
    model: "claude-sonnet-4-6",
    window: measured(200_000),
    occupancy: measured(76_000),
    percent: 38,
    threshold: measured(167_000, "learned from 7 of yours"),
    headroom: measured(91_000),
    turnsLeft: { value: 14, provenance: "estimated", source: plainSentence("the last 20 turns") },
    samples: 7,
    growth: { value: 6300, provenance: "estimated", source: plainSentence("the last 20 turns") },
    advice: "CONTINUE",
    thresholds: null,
    turns: 31,
    prompts: 3,
    toolCalls: 40,
    usage: noUsage,
    cost: { value: 1.92, provenance: "estimated", source: plainSentence("list price of each response") },
    official: null,
    nextCall: { value: 0.043, provenance: "estimated", source: plainSentence("context read from the cache") },
    cacheExpiresAt: now + 100_000,
    goingOn: {
      coldCall: { value: 0.46, provenance: "estimated", source: plainSentence("written again") },
      here: { value: 0.9, provenance: "estimated", source: plainSentence("ten turns") },
      fresh: { value: 0.2, provenance: "estimated", source: plainSentence("ten turns") },
    },
    cacheRead: measured(0.96),
    compactions: 0,
    lastCompaction: null,
    subagents: [],
    skippedLines: {},
    activity: null,
    planLimits: [],
    ...changes,
  };
}

export function subagent(changes: Partial<SubagentSnapshot> = {}): SubagentSnapshot {
  return {
    id: "a1",
    type: "general-purpose",
    description: "Read the almanac",
    transcript: "/home/dev/.claude/projects/-home-dev-harbor/5f0c/subagents/agent-a1.jsonl",
    running: true,
    model: "claude-haiku-4-5",
    window: measured(200_000),
    occupancy: measured(20_000),
    percent: 10,
    advice: "CONTINUE",
    compactions: 0,
    tokens: 48_000,
    lastActivity: now - 1000,
    ...changes,
  };
}

/** Behaves like `vscode.l10n.t` without a translation. */
export function t(message: string, ...values: (string | number)[]): string {
  return message.replaceAll(/\{(\d+)\}/gu, (_, index: string) => String(values[Number(index)]));
}
