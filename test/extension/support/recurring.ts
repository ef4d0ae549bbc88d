import type { AgentOverview, OverviewSession } from "../../../src/engine/recurring/wake/agent-overview.ts";
import { readDefinition } from "../../../src/engine/recurring/agents/definition.ts";
import type { WakeRow } from "../../../src/engine/ledger/woken.ts";
import type { WakePlanView } from "../../../src/engine/recurring/recurring-answers.ts";
import type { WakeJob } from "../../../src/engine/jobs/bench-answers.ts";
import { now } from "./session.ts";

export const minute = 60_000;
export const hour = 60 * minute;

/** A wake that ended two hours ago; each test changes the parts under test. */
export function wake(changes: Partial<WakeRow> = {}): WakeRow {
  return {
    id: "w1",
    agent: "keeper",
    project: "/home/dev/harbor",
    program: "claude",
    model: "claude-sonnet-4-5",
    taskId: "H-12",
    source: "timer",
    at: now - 2 * hour - 3 * minute,
    endedAt: now - 2 * hour,
    sessionId: "5f0c0000-0000-4000-8000-000000000001",
    reason: "reused",
    cause: null,
    resumeFailed: false,
    outcome: "completed",
    detail: null,
    turns: 4,
    input: 120,
    output: 800,
    cacheCreation5m: 900,
    cacheCreation1h: 0,
    cacheRead: 61_000,
    normalizedInput: 7_400,
    rawInput: 62_020,
    rawOutput: 800,
    usd: 0.03,
    fetchMode: "delta",
    fullFetches: 0,
    deltaFetches: 1,
    summaryFetches: 0,
    promptChars: 300,
    instructionsChars: 240,
    hasInstructions: true,
    skills: "",
    skillBytes: 0,
    skillsHash: null,
    definitionHash: null,
    stateBefore: "todo",
    stateAfter: "in_progress",
    ...changes,
  };
}

export function agentSession(changes: Partial<OverviewSession> = {}): OverviewSession {
  return {
    task: "H-12",
    id: "5f0c0000-0000-4000-8000-000000000001",
    program: "claude",
    model: "claude-sonnet-4-5",
    folder: "/home/dev/harbor",
    startedAt: now - 48 * hour,
    lastAt: now - 2 * hour,
    wakes: 14,
    turns: 82,
    sessionHash: "",
    inputs: [],
    hits: [],
    ...changes,
  };
}

/** An agent that is woken every half hour, and was two hours ago. @param lines further lines of its file's head */
export function overview(
  changes: Partial<AgentOverview> = {},
  lines: readonly string[] = ['schedule: "*/30 * * * *"'],
): AgentOverview {
  const name = changes.name ?? "keeper";
  const head = ["program: claude", "model: claude-sonnet-4-5", ...lines].join("\n");
  const read = readDefinition(name, `---\n${head}\n---\nYou keep the harbor.\n`);
  if (!read.ok) throw new Error(read.detail.text);
  return {
    name,
    file: `/home/dev/harbor/.purser/agents/${name}.md`,
    project: "/home/dev/harbor",
    faults: [],
    agent: read.value,
    isAgreed: true,
    isBusy: false,
    running: null,
    nextWake: now + 20 * minute,
    dueSince: null,
    timedBy: null,
    learned: null,
    pausedUntil: null,
    sessions: [agentSession()],
    wakes: [wake()],
    ...changes,
  };
}

/** A plan of a wake that continues a session. */
export function wakePlan(changes: Partial<WakePlanView> = {}): WakePlanView {
  return {
    agent: "keeper",
    program: "claude",
    model: "claude-sonnet-4-5",
    definition: "d",
    isAgreed: true,
    task: { id: "H-12", title: "Mend the light", check: null, isCheckAgreed: true },
    reason: "reused",
    cause: null,
    session: { id: "s1", wakes: 14 },
    tokens: 12_300,
    most: 500_000,
    usd: 0.042,
    promptChars: 300,
    ...changes,
  };
}

/** A wake as a job that runs, or is over. */
export function wakeJob(changes: Partial<WakeJob> = {}): WakeJob {
  return {
    id: "20261127-wake-keeper",
    ask: { kind: "wake", project: "/home/dev/harbor", agent: "keeper", isFresh: false, slot: null },
    state: { kind: "done" },
    at: now,
    startedAt: now,
    endedAt: null,
    wake: { plan: wakePlan(), used: { turns: 5, tokens: 12_345 }, row: null, said: [], skipped: null },
    ...changes,
  };
}
