import type { LedgerEntry } from "../../../src/engine/ledger/entries/entries-entry.ts";
import { response } from "../../engine/ledger/support/support.ts";
import { seededRandom, type Random } from "../corpus/filler.ts";

const minute = 60_000;
const firstDay = Date.UTC(2026, 4, 1);
const tools = ["Bash", "Read", "Edit", "Grep", "Write", "Task", "Skill", "mcp__tracker__search"] as const;
const types = ["Explore", "Plan", "general-purpose", "reviewer"] as const;

/** Responses per session of the synthetic ledger. */
export const sessionLength = 500;

/**
 * Returns the entries of one session of a busy user's ledger: 500 responses, a fifth of them by subagents, four calls
 * for every three responses, file reads, runs, compactions and the contents of the window. The same number gives the
 * same entries.
 *
 * @param start time of its first response, in milliseconds since the epoch
 */
export function busySession(number: number, start = firstDay + number * 12 * 60 * minute): LedgerEntry[] {
  const random = seededRandom(number);
  const id = busyId(number);
  const project = `/home/dev/project-${number % 20}`;
  const about = { sessionId: id, cwd: project, branch: `feature-${number % 7}` };
  const entries: LedgerEntry[] = [
    {
      kind: "session",
      id,
      program: number % 5 === 0 ? "codex" : "claude-code",
      cwd: project,
      branch: "main",
      title: `Session ${number}`,
      firstAt: start,
      officialUsd: 10,
      lastAt: start + sessionLength * minute,
    },
    ...types.map((type, index): LedgerEntry => ({
      kind: "subagent",
      sessionId: id,
      agentId: `a${index}`,
      type,
    })),
  ];
  let carried = 20_000;
  for (let turn = 0; turn < sessionLength; turn += 1) {
    const agentId = turn % 5 === 4 ? `a${turn % 4}` : null;
    const messageId = `msg_01${String(number * sessionLength + turn).padStart(22, "x")}`;
    const at = start + turn * minute;
    const grown = 200 + random.below(3000);
    const usage = {
      input: random.below(20),
      output: 50 + random.below(1500),
      cacheCreation5m: grown,
      cacheCreation1h: 0,
      cacheRead: carried,
    };
    carried = carried > 150_000 ? 20_000 : carried + grown;
    const requestId = `req_011${String(number * sessionLength + turn).padStart(21, "y")}`;
    entries.push(
      response(turn, { ...about, messageId, requestId, agentId, at, usage, model: modelOf(turn) }),
    );
    entries.push(...calls(random, { sessionId: id, agentId, messageId, at, turn }));
    if (turn % 10 === 9)
      entries.push({
        kind: "run",
        id: `${id}:${messageId}`,
        sessionId: id,
        agent: "main",
        project,
        completed: true,
        startedAt: at - 9 * minute,
        endedAt: at,
        durationMs: 9 * minute,
        toolCalls: 12,
        input: 100,
        output: 5000,
        cacheCreation: 15_000 + random.below(5000),
        cacheRead: 500_000,
      });
    if (turn % 10 === 9)
      entries.push({
        kind: "context-fill",
        id: requestId,
        sessionId: id,
        agentId,
        messageId,
        at,
        parts: JSON.stringify({
          system: 12_000,
          tools: 60_000,
          memory: 8000,
          "result:Read": 90_000,
          user: 900,
        }),
      });
  }
  return entries;
}

export function busyId(number: number): string {
  return `0a1b2c3d-4e5f-4a6b-8c7d-${String(number).padStart(12, "0")}`;
}

function modelOf(turn: number): string {
  return turn % 5 === 4 ? "claude-haiku-4-5" : "claude-opus-4-5";
}

function calls(
  random: Random,
  {
    turn,
    messageId,
    ...about
  }: { sessionId: string; agentId: string | null; messageId: string; at: number; turn: number },
): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (let call = turn % 3; call < 4 && call < 3 + (turn % 2); call += 2) {
    const tool = random.pick(tools);
    const id = `toolu_01${messageId.slice(-18)}${call}`;
    entries.push({
      kind: "tool-call",
      id,
      messageId,
      ...about,
      tool,
      isError: random.chance(0.05),
      inputChars: random.below(900),
      resultChars: random.below(9000),
      server: tool.startsWith("mcp__") ? "tracker" : null,
      skill: tool === "Skill" ? "release-notes" : null,
    });
    if (tool === "Read")
      entries.push({ kind: "file-read", id, ...about, path: `/src/${random.below(60)}.ts`, chars: 4000 });
  }
  return entries;
}
