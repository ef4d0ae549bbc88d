import { selectAnomalies } from "./queries.ts";
import type { Anomaly } from "../answers.ts";
import { findCacheFalls } from "./cache-falls.ts";
import { findCostlyRuns } from "./outlier-runs.ts";
import type { Database } from "../store/database.ts";
import type { LedgerEntry } from "../entries/entry.ts";
import type { FoundAnomaly } from "./found.ts";
import { readSessionHistory } from "../questions/session-history.ts";
import { findStalls } from "./stalls.ts";

/** What is older when it is found is history: it is recorded, and nobody is told. Milliseconds. */
export const newsFor = 24 * 60 * 60_000;

/** Characters, as the entry takes them. */
const [longestName, longestTurns] = [4096, 19_000];

type AnomalyEntry = Extract<LedgerEntry, { kind: "anomaly" }>;

/** What stands out in a session. */
function findAnomalies(db: Database, sessionId: string): FoundAnomaly[] {
  const history = readSessionHistory(db, sessionId);
  const ofChains = history.chains.flatMap((chain) => [...findStalls(chain), ...findCacheFalls(chain)]);
  return [...findCostlyRuns(db, history), ...ofChains].filter(isFitting).map(withFittingTurns);
}

/**
 * The anomalies of a session that the ledger does not have yet, or has otherwise.
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

/** Ids are hardly ever long. One that makes an entry the ledger refuses is not worth more than leaving it out. */
function isFitting({ id }: FoundAnomaly): boolean {
  return id.length <= longestName;
}

function withFittingTurns(found: FoundAnomaly): FoundAnomaly {
  let room = longestTurns;
  const turns = found.turns.filter((turn) => (room -= JSON.stringify(turn).length + 1) > 0);
  return { ...found, turns };
}

/** A stretch whose beginning was told late has another id, but turns that were named before. */
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
