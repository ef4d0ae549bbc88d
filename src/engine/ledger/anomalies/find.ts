import { selectAnomalies } from "./queries.ts";
import type { Anomaly } from "../answers.ts";
import { findCacheFalls } from "./cache-falls.ts";
import { findCostlyRuns } from "./outlier-runs.ts";
import type { Database } from "../store/database.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { FoundAnomaly } from "./found.ts";
import { readSessionHistory } from "../questions/session-history.ts";
import { findStalls } from "./stalls.ts";

/** Older anomalies are history when found: they are recorded but not shown. Milliseconds. */
export const newsFor = 24 * 60 * 60_000;

/** Characters that the entry accepts. */
const [longestName, longestTurns] = [4096, 19_000];

type AnomalyEntry = Extract<LedgerEntry, { kind: "anomaly" }>;

/** The anomalies of a session. */
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

/** Ids are hardly ever that long. An anomaly whose entry the ledger would refuse is simply left out. */
function isFitting({ id }: FoundAnomaly): boolean {
  return id.length <= longestName;
}

function withFittingTurns(found: FoundAnomaly): FoundAnomaly {
  let room = longestTurns;
  const turns = found.turns.filter((turn) => (room -= JSON.stringify(turn).length + 1) > 0);
  return { ...found, turns };
}

/** When the start of a stretch arrives late, the stretch gets another id, but has turns that were recorded before. */
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
