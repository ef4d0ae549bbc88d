import * as z from "zod/mini";
import { readJson } from "../../base/parse.ts";
import { shareOut } from "../../base/numbers.ts";
import { contextOf, isServerCall } from "../../usage/api-response.ts";
import { asksForLongWindow, lookupModel, type Catalogue } from "../../usage/catalogue.ts";
import { priceUsage } from "../../usage/price.ts";
import { Sum } from "../../usage/sum.ts";
import { selectAnomalies } from "../anomalies/queries.ts";
import type { ContextFill, FillPart, SessionPage, SessionRun, SessionTurn } from "../ledger-answers.ts";
import { contextParts, type ContextParts } from "../entries/collected.ts";
import { CalledBreakdown, compareNames, byReads, readRereads, rereadOf } from "./rereads.ts";
import { readCalledBuckets } from "../sums/called-tally.ts";
import { flagIn, maybeNumberIn, maybeTextIn, numberIn, textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import { indexMessages } from "../store/message-index.ts";
import type { LedgerBasis } from "../basis.ts";
import { mainAgentId } from "../store/run-conditions.ts";
import { machineNames } from "../machines/machine-names.ts";
import { selectResponses, summaryOf } from "./queries.ts";
import { readSessionFacts } from "../store/session-facts.ts";
import { selectCompactionDiffs } from "./continuity-rows.ts";
import { selectSessionStates } from "./session-states.ts";

/**
 * The page of one session, read without stored sums, as only one is requested at a time. Null for an unknown session.
 */
export function sessionPageOf(db: Database, basis: LedgerBasis, id: string): SessionPage | null {
  const facts = readSessionFacts(db, id).get(id);
  if (facts === undefined) return null;
  const turns = turnsOf(db, basis, id);
  const whole = new Sum();
  const ofAgents = new Map<string, Sum>();
  for (const turn of turns) {
    whole.add(turn, turn);
    if (turn.agentId === null) continue;
    const held = ofAgents.get(turn.agentId) ?? new Sum();
    held.add(turn, turn);
    ofAgents.set(turn.agentId, held);
  }
  const machine = facts.machine === "" ? undefined : machineNames(db, basis).get(facts.machine);
  const session = { ...summaryOf(facts, whole), ...(machine === undefined ? {} : { machine }) };
  const tools = new CalledBreakdown();
  for (const bucket of readCalledBuckets(db, basis, id)) if (bucket.by === "tool") tools.include(bucket);
  const rereads = readRereads(db, basis, id);
  return {
    session,
    official: officialOf(facts.officialUsd, session.usd),
    turns,
    window: windowOf(turns, { session, catalogue: basis.catalogue }),
    compactions: compactionsOf(db, id),
    subagents: subagentsOf(db, id, ofAgents),
    runs: runsOf(db, id),
    tools: tools.parts(),
    rereads: rereads
      .flatMap((file) => rereadOf(file, { sessionId: id, isDay: () => true }) ?? [])
      .sort(byReads),
    anomalies: selectAnomalies(db, { session: id }),
    state: selectSessionStates(db, { id, isWhole: true })[0] ?? null,
    compactionDiffs: selectCompactionDiffs(db, id),
  };
}

/** Transcripts do not contain an agent's own windows: only Claude Code's are the catalogue's. */
function windowOf(
  turns: readonly SessionTurn[],
  { session, catalogue }: { readonly session: SessionPage["session"]; readonly catalogue: Catalogue },
): number | null {
  const own = turns.filter(
    ({ agentId, messageId }) => (agentId === null || agentId === session.id) && !isServerCall(messageId),
  );
  const model = own.at(-1)?.model;
  if (model === undefined) return null;
  const facts = lookupModel(catalogue, model);
  if (facts === undefined || (session.program ?? "claude-code") !== "claude-code") return null;
  const largest = Math.max(...own.filter((turn) => turn.model === model).map((turn) => turn.occupancy));
  const isLong = asksForLongWindow(model);
  const windows = [...(isLong ? [] : [facts.agentWindow]), facts.longWindow, facts.window];
  return windows.find((each) => each !== null && each >= largest) ?? null;
}

function officialOf(usd: number | null, ours: number | null): SessionPage["official"] {
  if (usd === null) return null;
  return { usd, ours, difference: ours === null ? null : usd - ours };
}

function turnsOf(db: Database, { catalogue }: LedgerBasis, id: string): SessionTurn[] {
  const tools = toolsByMessage(db, id);
  const fills = fillsByMessage(db, id);
  return selectResponses(db, id).map((response) => {
    const { messageId, at, agentId, model, usage } = response;
    const held = isServerCall(messageId) ? 0 : contextOf(response);
    const parts = fills.get(messageId);
    const price = priceUsage(response, catalogue);
    return {
      messageId,
      at,
      agentId,
      model,
      usage,
      occupancy: held,
      usd: price.usd,
      ...("isStandardTier" in price ? { isStandardTier: price.isStandardTier } : {}),
      tools: tools.get(messageId) ?? [],
      fill: parts === undefined ? null : scaledFill(parts, held),
    };
  });
}

/** The tools' names in the order of their calls. */
function toolsByMessage(db: Database, id: string): ReadonlyMap<string, string[]> {
  const tools = new Map<string, string[]>();
  indexMessages(db);
  db.rows(
    `SELECT message_id, tool FROM tool_calls WHERE message_id IN
       (SELECT message_id FROM responses WHERE session_id = ? AND is_counted = 1) ORDER BY rowid`,
    [id],
    (cells) => {
      const message = textIn(cells[0]);
      const names = tools.get(message) ?? [];
      names.push(maybeTextIn(cells[1]) ?? "unknown");
      tools.set(message, names);
    },
  );
  return tools;
}

/** The window's content at each response, as last reported. */
function fillsByMessage(db: Database, id: string): ReadonlyMap<string, ContextParts> {
  const rows = db.rows(
    `SELECT message_id, parts FROM context_fills
     WHERE session_id = ? AND message_id IS NOT NULL AND parts IS NOT NULL ORDER BY at, rowid`,
    [id],
    (cells): [string, ContextParts | null] => [textIn(cells[0]), partsIn(textIn(cells[1]))],
  );
  return new Map(rows.flatMap(([message, parts]) => (parts === null ? [] : [[message, parts]])));
}

function partsIn(text: string): ContextParts | null {
  return readJson(contextParts, text);
}

export function selectContextFill(db: Database, sessionId: string): ContextFill | null {
  const [latest] = db.rows(
    `SELECT at, parts FROM context_fills
     WHERE session_id = ? AND agent_id IS NULL AND parts IS NOT NULL ORDER BY at DESC, rowid DESC LIMIT 1`,
    [sessionId],
    (cells) => ({ at: maybeNumberIn(cells[0]), parts: partsIn(textIn(cells[1])) }),
  );
  const parts = latest?.parts ?? null;
  if (parts === null) return null;
  return { at: latest?.at ?? null, parts: Object.entries(parts).map(([name, chars]) => ({ name, chars })) };
}

/**
 * Splits a measured occupancy among the parts by their characters; the shares add up to it. Null without any
 * characters. Largest first.
 */
export function scaledFill(parts: ContextParts, tokens: number): FillPart[] | null {
  const named = Object.entries(parts);
  const chars = named.map(([, each]) => each);
  if (chars.every((each) => each === 0)) return null;
  const shares = shareOut(tokens, chars);
  return named
    .map(([name, each], index) => ({ name, chars: each, tokens: shares[index] ?? 0 }))
    .sort((one, other) => other.chars - one.chars || compareNames(one.name, other.name));
}

const trigger = z.enum(["auto", "manual", "unknown"]);

function compactionsOf(db: Database, id: string): SessionPage["compactions"] {
  return db.rows(
    `SELECT at, agent_id, "trigger", pre_tokens, post_tokens FROM compactions WHERE session_id = ? ORDER BY at, rowid`,
    [id],
    (cells) => ({
      at: maybeNumberIn(cells[0]),
      agentId: maybeTextIn(cells[1]),
      trigger: trigger.parse(cells[2]),
      preTokens: maybeNumberIn(cells[3]),
      postTokens: maybeNumberIn(cells[4]),
    }),
  );
}

/** Subagents with entries of their own, and those known only from their responses. */
function subagentsOf(db: Database, id: string, sums: ReadonlyMap<string, Sum>): SessionPage["subagents"] {
  const recorded = db.rows(
    "SELECT agent_id, type, description FROM subagents WHERE session_id = ? AND agent_id <> ? ORDER BY rowid",
    [id, mainAgentId],
    (cells) => ({
      agentId: textIn(cells[0]),
      type: maybeTextIn(cells[1]),
      description: maybeTextIn(cells[2]),
    }),
  );
  const known = new Set(recorded.map(({ agentId }) => agentId));
  const others = [...sums.keys()].filter((agentId) => !known.has(agentId));
  return [...recorded, ...others.map((agentId) => ({ agentId, type: null, description: null }))].map(
    (agent) => ({
      ...agent,
      ...(sums.get(agent.agentId) ?? new Sum()).sum(),
    }),
  );
}

function runsOf(db: Database, id: string): SessionRun[] {
  return db.rows(
    `SELECT id, agent, model, started_at, ended_at, duration_ms, processing_tokens, tool_calls, files_reread, completed
     FROM runs WHERE session_id = ? ORDER BY started_at, rowid`,
    [id],
    (cells) => ({
      id: textIn(cells[0]),
      agent: textIn(cells[1]),
      model: maybeTextIn(cells[2]),
      startedAt: maybeNumberIn(cells[3]),
      endedAt: maybeNumberIn(cells[4]),
      durationMs: maybeNumberIn(cells[5]),
      processingTokens: numberIn(cells[6]),
      toolCalls: maybeNumberIn(cells[7]),
      filesReread: maybeNumberIn(cells[8]),
      completed: flagIn(cells[9]),
    }),
  );
}
