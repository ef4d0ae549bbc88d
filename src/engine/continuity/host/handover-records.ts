import { succeed, type Result } from "../../base/result.ts";
import type { HandoverRow } from "../../ledger/continuity-questions.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { HandoverView } from "../continuity-answers.ts";

export interface RecordPorts {
  readonly ledger: Pick<LedgerHost, "append" | "ask">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onChange: () => void;
}

/**
 * Maximum stored documents; and the length of a day in milliseconds. An older document is no longer handed
 * over.
 */
const [maxDocuments, dayMs] = [200, 86_400_000];
const remembered = 30 * dayMs;
/** A document that no agent started with within this time is ignored. Milliseconds. */
const ignoredAfter = 7 * dayMs;

/** The documents in the ledger: read once, and from then on changed here first, as one process writes them. */
export class HandoverRecords {
  readonly #ports: RecordPorts;
  #loading: Promise<Result<Map<string, HandoverRow>>> | undefined;
  #rows: ReadonlyMap<string, HandoverRow> = new Map();

  constructor(ports: RecordPorts) {
    this.#ports = ports;
  }

  /** The newest first. */
  async all(): Promise<Result<readonly HandoverRow[]>> {
    const rows = await this.#load();
    if (!rows.ok) return rows;
    return succeed([...rows.value.values()].map((row) => this.#judged(row)).toSorted(byTime));
  }

  async find(id: string): Promise<Result<HandoverRow | null>> {
    const rows = await this.#load();
    if (!rows.ok) return rows;
    const row = rows.value.get(id);
    return succeed(row === undefined ? null : this.#judged(row));
  }

  /** Documents known so far that no session has taken. */
  get waiting(): readonly HandoverRow[] {
    return [...this.#rows.values()].filter(({ toSession }) => toSession === null);
  }

  async put(row: HandoverRow): Promise<Result<unknown>> {
    const rows = await this.#load();
    if (!rows.ok) return rows;
    const appended = await this.#ports.ledger.append([{ kind: "handover", ...row }]);
    if (!appended.ok) return appended;
    rows.value.set(row.id, row);
    this.#ports.onChange();
    return succeed(undefined);
  }

  #load(): Promise<Result<Map<string, HandoverRow>>> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  async #read(): Promise<Result<Map<string, HandoverRow>>> {
    const { ledger, now } = this.#ports;
    const asked = await ledger.ask("handovers", { since: now() - remembered, most: maxDocuments });
    if (!asked.ok) {
      this.#loading = undefined;
      return asked;
    }
    const rows = new Map(asked.value.map((row) => [row.id, row]));
    this.#rows = rows;
    return succeed(rows);
  }

  #judged(row: HandoverRow): HandoverRow {
    if (row.toSession !== null) return { ...row, state: "taken" };
    const isOld = this.#ports.now() - (row.startedAt ?? row.at ?? 0) > ignoredAfter;
    return isOld ? { ...row, state: "ignored" } : row;
  }
}

function byTime(one: HandoverRow, other: HandoverRow): number {
  return (other.at ?? 0) - (one.at ?? 0) || (one.id < other.id ? -1 : 1);
}

export function viewOf(row: HandoverRow): HandoverView {
  const { id, sessionId, program, folder, branch, state, toProgram, toSession, takenAt } = row;
  return {
    id,
    sessionId,
    program,
    madeAt: row.at,
    folder,
    branch,
    state,
    toProgram,
    toSession,
    takenAt,
    carried: row.carriedTokens,
    tokens: row.documentTokens,
  };
}
