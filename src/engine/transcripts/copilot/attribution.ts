import type { AgentCall, AgentTurn } from "../agent-activity.ts";
import type { AgentSession } from "../agent-session.ts";
import type { CopilotRecord } from "./read-events.ts";
import type { Attribution, NamedRecord } from "../records/attribution.ts";

type Named = NamedRecord<CopilotRecord>;

interface Told {
  /** Responses the events tell. */
  readonly single: readonly Named[];
  /** Others, which only the store tells. */
  readonly rows: readonly Named[];
  /** What neither tells, of the totals that processes wrote when they ended. */
  readonly rests: readonly Named[];
}

/** A row is written when the response is there, and so is the event that tells what it asks for. Milliseconds. */
const sameMoment = 2000;

/**
 * Which responses a turn had: those its events tell; else the store's rows of its time; else, where it is the only one of
 * its process, what that process told in the end. A turn of several of which only the total is known is told of no
 * tokens, and so not told: nobody knows what it took.
 */
export function copilotAttribution(
  { records, activity: { turns } }: AgentSession<CopilotRecord>,
  { single, rows, rests }: Told,
): Attribution {
  const ids = new Map([...single, ...rows].map(({ record, id }) => [record, id]));
  const own = new Set(single.flatMap(({ record, isCopy }) => (isCopy ? [] : [record])));
  const taken = new Set<CopilotRecord>();
  const found = turns.map((turn): CopilotRecord[] => {
    const told = turn.records.flatMap((place) => records[place] ?? []).filter((record) => own.has(record));
    if (told.length > 0 || turn.agentId !== null) return told;
    const stored = rows.flatMap(({ record }) =>
      isWithin(turn, record.at) && !taken.has(record) ? [record] : [],
    );
    for (const record of stored) taken.add(record);
    return stored;
  });
  let before = -Infinity;
  for (const { record } of rests) {
    const until = record.at ?? -Infinity;
    const since = before;
    const ofProcess = turns.flatMap((turn, place) => {
      const at = turn.startedAt ?? NaN;
      return turn.agentId === null && at > since && at <= until ? [place] : [];
    });
    const [only] = ofProcess;
    // A process tells a total for each model, all at once.
    const same = rests.flatMap((rest) => (rest.record.at === record.at ? [rest.record] : []));
    if (only !== undefined && ofProcess.length === 1 && found[only]?.length === 0) found[only] = same;
    before = Math.max(before, until);
  }
  return {
    responsesOf: (_turn: AgentTurn, place: number) => found[place] ?? [],
    messageOf({ record: place, at }: AgentCall) {
      const record = records[place ?? -1];
      if (record !== undefined) return ids.get(record) ?? null;
      return place === null ? nearest(rows, at) : null;
    },
  };
}

function isWithin({ startedAt, endedAt }: AgentTurn, at: number | null): boolean {
  if (at === null || startedAt === null || endedAt === null) return false;
  return at >= startedAt && at <= endedAt + sameMoment;
}

function nearest(rows: readonly Named[], at: number | null): string | null {
  if (at === null) return null;
  let best: { readonly id: string; readonly off: number } | null = null;
  for (const { record, id } of rows) {
    const off = record.at === null ? Infinity : Math.abs(record.at - at);
    if (off <= sameMoment && off < (best?.off ?? Infinity)) best = { id, off };
  }
  return best?.id ?? null;
}
