import type { LedgerEntry } from "../../src/engine/ledger/entries/entries-entry.ts";
import { seededRandom, type SeededRandom } from "../engine/support/seeded-random.ts";
import { day, hour, minute, moment } from "./clock.ts";
import { workspace } from "./agent-files.ts";

/** The agents of the story, with the model that each one uses. */
const agents = [
  { program: "claude-code", model: "claude-sonnet-4-6", tools: ["Read", "Grep", "Edit", "Bash"], share: 0.5 },
  { program: "codex", model: "gpt-5.1-codex", tools: ["shell", "apply_patch"], share: 0.2 },
  { program: "copilot", model: "claude-sonnet-4.5", tools: ["view", "bash", "edit"], share: 0.18 },
  {
    program: "gemini",
    model: "gemini-3-pro",
    tools: ["read_file", "run_shell_command", "replace"],
    share: 0.12,
  },
] as const;

const titles = [
  "Fix the tide table in winter",
  "Book a berth for a night",
  "Report berths by month",
  "Move bookings to the ledger",
  "Round fees to whole cents",
  "Show free berths on the map",
  "Cancel a booking",
  "Send the harbor master a summary",
  "Speed up the berth search",
  "Check the depth of each berth",
] as const;
const files = [
  "src/tide.ts",
  "src/berth.ts",
  "src/booking.ts",
  "src/ledger.ts",
  "src/report.ts",
  "src/fees.ts",
];
const branches = ["main", "feature/bookings", "feature/report"];

/** When the first rule went into the memory of `backend`: its runs take less from then on. */
const ruledAt = moment - 18 * day;

/**
 * Older sessions, as the ledger keeps them once the agents have removed their files: a month of work of all agents, most of it on weekdays
 * of the story.
 */
export function history(): LedgerEntry[] {
  const random = seededRandom(20_261_102);
  const entries: LedgerEntry[] = [];
  for (let ago = 28; ago >= 1; ago -= 1) {
    if (ago % 7 === 3) continue;
    const sessions = 1 + random.below(2);
    for (let number = 0; number < sessions; number += 1) {
      const at = moment - ago * day + number * 3 * hour + random.below(90) * minute;
      entries.push(...session(`history-${ago}-${number}`, at, random));
    }
  }
  return entries;
}

function session(id: string, start: number, random: SeededRandom): LedgerEntry[] {
  const drawn = random.next();
  let passed = 0;
  const agent = agents.find(({ share }) => (passed += share) > drawn) ?? agents[0];
  const cwd = random.next() < 0.75 ? workspace : `${workspace}-map`;
  const branch = agent.program === "gemini" ? null : (branches[random.below(branches.length)] ?? null);
  const turns = 6 + random.below(9);
  const about = { sessionId: id, agentId: null, cwd, branch };
  const entries: LedgerEntry[] = [];
  let at = start;
  let occupancy = 14_000 + 100 * random.below(60);
  const sum = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
  for (let turn = 0; turn < turns; turn += 1) {
    const added = 100 * (8 + random.below(70));
    const usage = usageOf(agent.program, {
      before: turn === 0 ? 0 : occupancy,
      added: turn === 0 ? occupancy : added,
      output: 10 * (15 + random.below(80)),
    });
    occupancy += turn === 0 ? 0 : added;
    const messageId = `${id}-m${turn}`;
    entries.push({
      kind: "response",
      messageId,
      requestId: null,
      ...about,
      model: agent.model,
      at,
      isSidechain: false,
      usage,
    });
    sum.input += usage.input;
    sum.output += usage.output;
    sum.cacheCreation += usage.cacheCreation5m;
    sum.cacheRead += usage.cacheRead;
    if (turn < turns - 1)
      entries.push(
        ...call(agent, { id: `${id}-t${turn}`, sessionId: id, messageId, at: at + 2000, added }, random),
      );
    at += 1000 * (9 + random.below(40));
  }
  const counts = { ...sum, toolCalls: turns - 1, turns, completed: true };
  const run = {
    kind: "run",
    sessionId: id,
    project: cwd,
    branch,
    model: agent.model,
    startedAt: start,
    endedAt: at,
    durationMs: at - start,
  } as const;
  const title = titles[random.below(titles.length)] ?? "";
  return [
    {
      kind: "session",
      id,
      program: agent.program,
      cwd,
      branch,
      title,
      firstAt: start,
      lastAt: at,
      officialUsd: null,
    },
    ...entries,
    { ...run, id: `${id}:main`, agent: "main", ...counts },
    ...(agent.program === "claude-code" ? [subagentRun(run, random)] : []),
  ];
}

/** A run of the subagent whose rules are measured. */
function subagentRun(
  run: { readonly kind: "run"; readonly sessionId: string; readonly startedAt: number },
  random: SeededRandom,
): LedgerEntry {
  const share = (run.startedAt < ruledAt ? 1 : 0.8) * Math.exp(0.16 * random.normal());
  return {
    ...run,
    id: `${run.sessionId}#backend:1`,
    agent: "backend",
    input: Math.round(90 * share),
    output: Math.round(2100 * share),
    cacheCreation: Math.round(24_000 * share),
    cacheRead: Math.round(190_000 * share),
    toolCalls: Math.round(12 * share),
    turns: Math.round(13 * share),
    completed: true,
  };
}

interface Spent {
  readonly before: number;
  readonly added: number;
  readonly output: number;
}

/** Only Claude Code reports what it writes to the cache. */
function usageOf(program: string, { before, added, output }: Spent) {
  const writes = program === "claude-code";
  const base = { output, cacheCreation1h: 0, cacheRead: before };
  return writes
    ? { ...base, input: 4, cacheCreation5m: added }
    : { ...base, input: added, cacheCreation5m: 0 };
}

interface Called {
  readonly id: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly at: number;
  readonly added: number;
}

function call(
  { tools }: (typeof agents)[number],
  { added, ...called }: Called,
  random: SeededRandom,
): LedgerEntry[] {
  const tool = tools[random.below(tools.length)] ?? tools[0];
  const chars = 4 * added;
  const entry: LedgerEntry = {
    kind: "tool-call",
    agentId: null,
    ...called,
    tool,
    inputChars: 90,
    resultChars: chars,
    durationMs: 10 * (3 + random.below(90)),
    isError: random.next() < 0.04,
  };
  const file = files[random.below(files.length)] ?? files[0] ?? "";
  if (!/^(?:Read|view|read_file)$/u.test(tool)) return [entry];
  const { id, sessionId, at } = called;
  return [
    entry,
    { kind: "file-read", id, sessionId, agentId: null, at, path: `${workspace}/${file}`, chars },
  ];
}
