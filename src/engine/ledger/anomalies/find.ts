import { selectAnomalies } from "./queries.ts";
import type { Anomaly } from "../ledger-answers.ts";
import { findCacheFalls } from "./cache-falls.ts";
import { findCostlyRuns, type FoundAnomaly, anomalyId, maxTurns } from "./outlier-runs.ts";
import type { Database } from "../store/database.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import { readSessionHistory, type Chain, type TimedResponse } from "../questions/session-history.ts";
import { cacheCreation, occupancy } from "../../usage/token-counts.ts";

/** This many in a row are not an accident: a model with nothing to add stops after one or two such responses. */
const minStretch = 5;
/** Tokens. An empty message takes 1 to 3, and "OK" hardly more; the smallest tool call takes about thirty. */
const maxOutput = 10;

/**
 * Stalls: at least 5 consecutive responses of a conversation without a tool call. Each has a larger prompt than the one
 * before, and none has more than 10 tokens of output. Hooks that keep the agent running and loops of empty answers look
 * like this.
 *
 * So do a person's short questions with short answers, and every conversation of those Claude Code versions that
 * recorded only the first tokens of an answer. So a prompt ends a stretch, and nothing is reported when the times of
 * the prompts or the responses that called tools are unknown.
 */
export function findStalls({ sessionId, agentId, responses, prompts, callers }: Chain): FoundAnomaly[] {
  if (prompts === null || callers === null) return [];
  const asked = prompts.toSorted((one, other) => one - other);
  const found: FoundAnomaly[] = [];
  let stretch: TimedResponse[] = [];
  const end = () => {
    const anomaly = { sessionId, agentId, cause: "stall" } as const;
    const turns = stretch.slice(0, maxTurns);
    const [first, last] = [turns[0], turns.at(-1)];
    if (turns.length >= minStretch && first !== undefined && last !== undefined)
      found.push({
        ...anomaly,
        id: anomalyId(anomaly, first.messageId),
        at: last.at,
        value: turns.reduce((sum, { usage }) => sum + usage.input + usage.output + cacheCreation(usage), 0),
        usual: null,
        turns: turns.map(({ messageId }) => messageId),
      });
    stretch = [];
  };
  let next = 0;
  for (const response of responses) {
    const before = next;
    while ((asked[next] ?? Infinity) <= response.at) next += 1;
    const last = stretch.at(-1);
    const climbs = last === undefined || occupancy(response.usage) > occupancy(last.usage);
    if (next > before || !climbs) end();
    if (response.usage.output <= maxOutput && !callers.has(response.messageId)) stretch.push(response);
    else end();
  }
  end();
  return found;
}

/** Older anomalies are history when found: they are recorded but not shown. Milliseconds. */
export const newsFor = 24 * 60 * 60_000;

/** Maximum lengths that the entry accepts. Characters. */
const [maxNameLength, maxTurnsLength] = [4096, 19_000];

type AnomalyEntry = Extract<LedgerEntry, { kind: "anomaly" }>;

function findAnomalies(db: Database, sessionId: string): FoundAnomaly[] {
  const history = readSessionHistory(db, sessionId);
  const ofChains = history.chains.flatMap((chain) => [...findStalls(chain), ...findCacheFalls(chain)]);
  return [...findCostlyRuns(db, history), ...ofChains].filter(isFitting).map(withFittingTurns);
}

/**
 * The anomalies of a session that the ledger does not have yet, or has with other figures.
 *
 * @param now milliseconds since the epoch
 */
export function newAnomalies(db: Database, sessionId: string, now: number): AnomalyEntry[] {
  const known = selectAnomalies(db, { session: sessionId });
  return findAnomalies(db, sessionId)
    .filter((found) => isNews(found, known))
    .map(({ turns, ...found }) => ({
      kind: "anomaly",
      ...found,
      turns: JSON.stringify(turns),
      shownAt: now - found.at > newsFor ? found.at : null,
    }));
}

/** Ids are hardly ever that long. An anomaly is left out if the ledger would refuse its entry. */
function isFitting({ id }: FoundAnomaly): boolean {
  return id.length <= maxNameLength;
}

function withFittingTurns(found: FoundAnomaly): FoundAnomaly {
  let room = maxTurnsLength;
  const turns = found.turns.filter((turn) => (room -= JSON.stringify(turn).length + 1) > 0);
  return { ...found, turns };
}

/** When the start of a stretch arrives late, the stretch gets another id, but shares turns with a recorded one. */
function isNews(found: FoundAnomaly, known: readonly Anomaly[]): boolean {
  const same = known.find(({ id }) => id === found.id);
  if (same !== undefined)
    return same.at !== found.at || same.value !== found.value || same.turns.length !== found.turns.length;
  const turns = new Set(found.turns);
  return !known.some(
    (other) =>
      other.cause === found.cause &&
      other.agentId === found.agentId &&
      found.cause !== "costly-run" &&
      other.turns.some((turn) => turns.has(turn)),
  );
}
