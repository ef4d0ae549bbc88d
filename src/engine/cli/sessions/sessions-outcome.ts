import type { Sentence } from "../../base/language.ts";
import type { LiveSnapshot, ContextSnapshot } from "../../sessions/session-requests.ts";
import type { OfficialCost, SessionSnapshot, SubagentSnapshot } from "../../sessions/snapshot.ts";
import type { Activity } from "../../sessions/reported.ts";
import { ledgerItself } from "../../ledger/remedy.ts";
import { totalTokens, cacheCreation, type Figure } from "../../usage/token-counts.ts";
import type { StatusJson } from "./sessions-schema.ts";

type SessionJson = StatusJson["sessions"][number];

export function statusToJson(
  { roots, problems, settingProblems, ledgerProblem }: LiveSnapshot,
  sessions: readonly SessionSnapshot[],
): StatusJson {
  return {
    schema: 1,
    sessions: sessions.map(sessionToJson),
    roots: roots.map(({ path }) => path),
    problems: [
      ...(ledgerProblem === undefined ? [] : [{ path: ledgerItself, reason: ledgerProblem }]),
      ...settingProblems,
      ...problems,
    ].map(({ path, reason }) => ({ path, reason })),
  };
}

function sessionToJson(session: SessionSnapshot): SessionJson {
  const { headroom, turnsLeft, threshold, usage, official } = session;
  return {
    id: session.id,
    agent: session.agent,
    title: session.title,
    cwd: session.cwd,
    branch: session.branch,
    model: session.model,
    live: session.live,
    lastActivity: session.lastActivity === null ? null : new Date(session.lastActivity).toISOString(),
    asOf: session.asOf === null ? null : timeToJson(session.asOf.at),
    transcript: session.transcript,
    ...contextToJson(session),
    headroom: {
      tokens: headroom.value,
      turns: turnsLeft.value,
      provenance: headroom.provenance,
      samples: session.samples,
      source: headroom.value === null ? headroom.source : threshold.source,
    },
    growth: rounded(session.growth.value, 0),
    advice: session.advice,
    turns: session.turns,
    toolCalls: session.toolCalls,
    usage: {
      input: usage.input,
      output: usage.output,
      cacheCreation: cacheCreation(usage),
      cacheRead: usage.cacheRead,
    },
    cost: { ...moneyToJson(session.cost), official: official === null ? null : officialToJson(official) },
    nextCall: moneyToJson(session.nextCall),
    subagents: session.subagents.map(subagentToJson),
    compactions: session.compactions,
    activity: session.activity === null ? null : activityToJson(session.activity),
    planLimits: session.planLimits.map(({ name, usedPercent, resetsAt, usedUsd, limitUsd, period }) => ({
      name,
      percent: usedPercent,
      resetsAt: resetsAt === null ? null : timeToJson(resetsAt),
      usedUsd,
      limitUsd,
      period,
    })),
    skippedLines: session.skippedLines,
  };
}

function activityToJson({ state, at, error }: Activity): NonNullable<SessionJson["activity"]> {
  return { state, since: new Date(at).toISOString(), error };
}

/** Null for an invalid time: it came from an agent. */
function timeToJson(at: number): string | null {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function contextToJson({
  window,
  occupancy,
  percent,
}: ContextSnapshot): Pick<SessionJson, "window" | "context"> {
  return {
    window: { tokens: window.value, provenance: window.provenance, source: window.source },
    context: {
      tokens: occupancy.value,
      percent: rounded(percent, 2),
      provenance: occupancy.provenance,
      source: occupancy.source,
    },
  };
}

function subagentToJson(subagent: SubagentSnapshot): SessionJson["subagents"][number] {
  const { id, type, description, model, running, tokens, advice } = subagent;
  return { id, type, description, model, running, ...contextToJson(subagent), tokens, advice };
}

function officialToJson({
  usd,
  usage,
  isOld,
  difference,
}: OfficialCost): NonNullable<SessionJson["cost"]["official"]> {
  return { ...moneyToJson(usd), tokens: totalTokens(usage), isOld, difference: moneyToJson(difference) };
}

/** Rounds to a millionth of a dollar, which is less than any token costs. */
function moneyToJson({ value, provenance, source }: Figure): {
  usd: number | null;
  provenance: Figure["provenance"];
  source: Sentence;
} {
  return { usd: rounded(value, 6), provenance, source };
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}
