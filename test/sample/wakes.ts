import type { LedgerEntry } from "../../src/engine/ledger/entries/entries-entry.ts";
import { plainSentence, sentence, type Sentence } from "../../src/engine/base/language.ts";
import {
  wakeEntryOf,
  type RotationCause,
  type WakeReason,
  type WakeRow,
  type WakeSource,
} from "../../src/engine/ledger/woken.ts";
import { cacheWeights, normalizedInput } from "../../src/engine/recurring/figures/normalized.ts";
import { builtInCatalogue } from "../../src/engine/usage/catalogue/catalogue.ts";
import { priceUsage } from "../../src/engine/usage/price.ts";
import { addUsage, noUsage, occupancy, type TokenUsage } from "../../src/engine/usage/token-counts.ts";
import { seededRandom, type SeededRandom } from "../engine/support/seeded-random.ts";
import { workspace, type SampleFile } from "./agent-files.ts";
import { day, hour, minute, moment } from "./clock.ts";

/** The recurring agents of the story, and their tasks. */
export const recurringFiles: readonly SampleFile[] = [
  [
    "harbor/.purser/agents/keeper.md",
    `---
program: claude
model: claude-sonnet-4-6
schedule: "0 */4 * * *"
wake: |
  Work on your task until its next step is done, then say in a comment what is left.
---
You keep the harbor's booking service. Read a file once, change one thing at a time, and run only the tests of what you changed.
`,
  ],
  [
    "harbor/.purser/agents/triage.md",
    `---
program: codex
model: gpt-5.1-codex
schedule: "30 9-17 * * 1-5"
---
You sort what sailors report: one label, one question at most, and the task that it belongs to.
`,
  ],
  [
    "harbor/.purser/tasks/H-18.md",
    "---\ntitle: Refund a booking that a storm prevented\nassignee: keeper\nstate: in_progress\n---\nWhole cents, and once.\n",
  ],
  [
    "harbor/.purser/tasks/H-20.md",
    "---\ntitle: Sort this week's reports\nassignee: triage\nstate: in_progress\n---\nThe oldest first.\n",
  ],
];

interface Agent {
  readonly name: string;
  readonly program: "claude" | "codex";
  readonly model: string;
  /** Content sent to a new session: its instructions, tools, and the task's thread. Tokens. */
  readonly start: number;
}

const keeper: Agent = { name: "keeper", program: "claude", model: "claude-sonnet-4-6", start: 17_000 };
const triage: Agent = { name: "triage", program: "codex", model: "gpt-5.1-codex", start: 12_000 };

interface Woken {
  readonly at: number;
  readonly task: string;
  readonly reason: WakeReason;
  readonly cause?: RotationCause;
  readonly source?: WakeSource;
  readonly outcome?: WakeRow["outcome"];
  readonly detail?: Sentence;
  readonly isNaive?: boolean;
  readonly stateAfter?: WakeRow["stateAfter"];
}

/** Two weeks of wakes, with their sessions: at first each began anew and read its whole thread; since its file was changed it goes on. */
export function recurringWork(): LedgerEntry[] {
  const random = seededRandom(20_261_127);
  return [...played(keeper, keeperWakes(), random), ...played(triage, triageWakes(), random)];
}

function keeperWakes(): Woken[] {
  const at = (ago: number, hourOfDay: number) => moment - ago * day - 12 * hour + hourOfDay * hour;
  const wakes: Woken[] = [];
  for (let ago = 15; ago > 13; ago -= 1)
    for (const hourOfDay of [8, 16])
      wakes.push({ at: at(ago, hourOfDay), task: "H-12", reason: "forced", isNaive: true });
  let task = "H-12";
  for (let ago = 13; ago > 0; ago -= 1) {
    const next = ago > 9 ? "H-12" : ago > 4 ? "H-15" : "H-18";
    for (const hourOfDay of ago % 7 === 5 ? [] : [8, 12, 16]) {
      const isFirst = next !== task || wakes.at(-1)?.isNaive === true;
      const isLast = hourOfDay === 16 && (ago === 10 || ago === 6);
      const special = specials[`${ago}.${hourOfDay}`] ?? {};
      wakes.push({
        at: at(ago, hourOfDay),
        task: next,
        reason: isFirst ? (next === task ? "rotated" : "other_task") : "reused",
        ...(isFirst && next === task ? { cause: "definition" as const } : {}),
        ...(isLast ? { stateAfter: "done" as const } : {}),
        ...special,
      });
      task = next;
    }
  }
  return wakes;
}

/** Exceptions, by days before the sample is opened and hour. */
const specials: Readonly<Record<string, Partial<Woken>>> = {
  "11.12": {
    outcome: "environment",
    detail: sentence("{0}: {1}", sentence("quota"), "429 usage limit reached"),
  },
  "8.12": { source: "mention" },
  "7.16": { outcome: "interrupted" },
  "6.12": { outcome: "limit", detail: plainSentence("60 turns") },
  "3.8": { reason: "rotated", cause: "input" },
  "2.16": { source: "manual" },
};

function triageWakes(): Woken[] {
  const wakes: Woken[] = [];
  for (let ago = 6; ago > 0; ago -= 1)
    for (const hourOfDay of ago % 7 === 5 ? [] : [9.5, 12.5, 15.5])
      wakes.push({
        at: moment - ago * day - 12 * hour + hourOfDay * hour,
        task: "H-20",
        reason: wakes.length === 0 ? "first" : "reused",
        ...(ago === 3 && hourOfDay === 12.5 ? { stateAfter: "blocked" as const } : {}),
      });
  return wakes;
}

function played(agent: Agent, wakes: readonly Woken[], random: SeededRandom): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  const sessions = new Map<string, { id: string; occupancy: number; turns: number }>();
  let serial = 0;
  for (const [index, woken] of wakes.entries()) {
    const isNew = woken.reason !== "reused" || !sessions.has(woken.task);
    const session = isNew
      ? { id: `sample-${agent.name}-${(serial += 1)}`, occupancy: 0, turns: 0 }
      : (sessions.get(woken.task) ?? { id: "", occupancy: 0, turns: 0 });
    sessions.set(woken.task, session);
    const isAway = woken.outcome === "environment";
    const responses: (Extract<LedgerEntry, { kind: "response" }> & { readonly at: number })[] = [];
    const turns = isAway ? 0 : 2 + random.below(2);
    let at = woken.at;
    for (let turn = 0; turn < turns; turn += 1) {
      const added =
        session.occupancy === 0
          ? agent.start + (woken.isNaive === true ? 9000 : 0)
          : 100 * (4 + random.below(woken.isNaive === true ? 40 : 14));
      at += 1000 * (9 + random.below(40));
      responses.push({
        kind: "response",
        messageId: `${session.id}-m${(session.turns += 1)}`,
        requestId: null,
        sessionId: session.id,
        agentId: null,
        cwd: workspace,
        branch: "main",
        model: agent.model,
        at,
        isSidechain: false,
        usage: usageOf(agent, session.occupancy, added, 10 * (20 + random.below(70))),
      });
      session.occupancy += added;
    }
    if (isNew && turns > 0)
      entries.push({
        kind: "session",
        id: session.id,
        program: agent.program === "claude" ? "claude-code" : "codex",
        cwd: workspace,
        branch: "main",
        title: `${agent.name}: ${woken.task}`,
        firstAt: woken.at,
        lastAt: lastOf(wakes, index, woken.task) + minute,
        officialUsd: null,
      });
    entries.push(...responses, wakeEntryOf(rowOf(agent, woken, { session: session.id, responses, at })));
  }
  return entries;
}

/** When the last wake of a session began. */
function lastOf(wakes: readonly Woken[], from: number, task: string): number {
  let last = wakes[from]?.at ?? 0;
  for (const { task: other, reason, at } of wakes.slice(from + 1)) {
    if (other !== task) continue;
    if (reason !== "reused") break;
    last = at;
  }
  return last;
}

/** Only Claude Code reports what it writes to the cache. */
function usageOf({ program }: Agent, before: number, added: number, output: number): TokenUsage {
  const base = { output, cacheCreation1h: 0, cacheRead: before };
  return program === "claude"
    ? { ...base, input: 4, cacheCreation5m: added }
    : { ...base, input: added, cacheCreation5m: 0 };
}

interface Spent {
  readonly session: string;
  readonly responses: readonly (Parameters<typeof priceUsage>[0] & { readonly usage: TokenUsage })[];
  readonly at: number;
}

function rowOf(agent: Agent, woken: Woken, { session, responses, at }: Spent): WakeRow {
  const { task, reason, isNaive = false, outcome = "completed" } = woken;
  const usage = responses.reduce((sum, each) => addUsage(sum, each.usage), noUsage);
  const weights = cacheWeights(agent.model, builtInCatalogue);
  const price = responses.map((each) => priceUsage(each, builtInCatalogue).usd ?? 0);
  const isKnown = responses.length > 0;
  const isFresh = reason !== "reused";
  return {
    id: `wake-${agent.name}-${woken.at}`,
    agent: agent.name,
    project: workspace,
    program: agent.program,
    model: agent.model,
    taskId: task,
    source: woken.source ?? "timer",
    at: woken.at,
    endedAt: at + 2000,
    sessionId: isKnown ? session : null,
    reason,
    cause: woken.cause ?? null,
    resumeFailed: false,
    outcome,
    detail: woken.detail ?? null,
    turns: responses.length,
    input: isKnown ? usage.input : null,
    output: isKnown ? usage.output : null,
    cacheCreation5m: isKnown ? usage.cacheCreation5m : null,
    cacheCreation1h: isKnown ? usage.cacheCreation1h : null,
    cacheRead: isKnown ? usage.cacheRead : null,
    normalizedInput: isKnown
      ? responses.reduce((sum, each) => sum + normalizedInput(each.usage, weights), 0)
      : null,
    rawInput: isKnown ? occupancy(usage) : null,
    rawOutput: isKnown ? usage.output : null,
    usd: isKnown ? price.reduce((sum, usd) => sum + usd, 0) : null,
    fetchMode: isNaive ? "full" : "delta",
    fullFetches: isNaive ? 1 : 0,
    deltaFetches: isNaive ? 0 : 1,
    summaryFetches: 0,
    promptChars: isFresh ? 1400 : 420,
    instructionsChars: isFresh ? 1180 : 210,
    hasInstructions: true,
    skills: agent.program === "claude" ? "" : null,
    skillBytes: agent.program === "claude" ? 0 : null,
    skillsHash: null,
    definitionHash: `${agent.name}-${isNaive ? 1 : 2}`,
    stateBefore: "in_progress",
    stateAfter: woken.stateAfter ?? "in_progress",
  };
}
