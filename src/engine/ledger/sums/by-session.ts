import { randomUUID } from "node:crypto";
import type { SqlValue } from "sql.js";
import { sha256Base64Url } from "../../base/hash.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { textIn } from "../store/cell.ts";
import type { Database } from "../store/database.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import type { LedgerBasis } from "../basis.ts";
import type { SessionWatch } from "../store/session-changes.ts";

/** The tables of stored sums, and the kinds of entries they are made from. */
export const sumsOf = {
  session_usage: ["response", "subagent", "session"],
  session_calls: ["response", "tool-call"],
  session_rereads: ["file-read"],
  session_costs: ["response", "tool-call", "file-read", "compaction", "subagent", "run"],
  session_savings: ["guard-hit", "guard-follow-up", "response", "tool-call", "compaction"],
} as const satisfies Record<string, readonly LedgerEntry["kind"][]>;

/** How sums of one kind are made and stored. */
interface SumsKind<Value> {
  readonly table: keyof typeof sumsOf;
  /** Sums up the rows of a session. */
  readonly read: (session: string, basis: LedgerBasis) => Value;
  readonly write: (value: Value) => string;
  readonly parse: (text: string) => Value;
  /** The memory it takes, in number of sums. */
  readonly weightOf: (value: Value) => number;
}

/** Maximum sums held in memory, about 300 bytes each; any others are read from their table whenever they are needed. */
const maxHeld = 20_000;
/** Sessions whose sums are made in one transaction. */
const atOnce = 50;
/** Up to this many sums are read one by one. */
const fewSessions = 200;
/** Increased whenever the same rows give other sums, or sums are written in another format. */
const version = 3;

/**
 * Sums of each session. They are made when first needed and again after the session changed, and stored in the ledger.
 */
export class SessionSums<Value> {
  readonly #db: Database;
  readonly #watch: SessionWatch;
  readonly #kind: SumsKind<Value>;
  readonly #held = new Map<string, Value>();
  #weight = 0;
  /** Sessions whose sums are only in their table. */
  #unheld = new Set<string>();
  /** Sessions whose sums are missing, or out of date. */
  #missing = new Set<string>();
  /** The name of the basis of the sums in the table. */
  #basis = "";

  /** @param watch watches everything that the sums are made from */
  constructor(db: Database, watch: SessionWatch, kind: SumsKind<Value>) {
    this.#db = db;
    this.#watch = watch;
    this.#kind = kind;
  }

  /** @param isWanted leaves the sums of other sessions as they are, even if they are missing. Default: all sessions. */
  each(
    basis: LedgerBasis,
    visit: (session: string, value: Value) => void,
    isWanted: (session: string) => boolean = () => true,
  ): void {
    this.#bringUpToDate(basis, isWanted);
    for (const [session, value] of this.#held) if (isWanted(session)) visit(session, value);
    const wanted = [...this.#unheld].filter(isWanted);
    if (wanted.length === 0) return;
    const read = ([id, sums]: readonly SqlValue[]) => {
      const session = textIn(id);
      if (!this.#unheld.has(session) || !isWanted(session)) return;
      const value = this.#kind.parse(textIn(sums));
      visit(session, value);
      this.#hold(session, value);
    };
    const select = `SELECT session_id, sums FROM ${this.#kind.table}`;
    if (wanted.length > fewSessions) this.#db.each(select, [], read);
    else for (const session of wanted) this.#db.each(`${select} WHERE session_id = ?`, [session], read);
  }

  #bringUpToDate(basis: LedgerBasis, isWanted: (session: string) => boolean): void {
    const name = nameOf(basis);
    const changed = this.#watch.take();
    if (name !== this.#basis) this.#missing = new Set(this.#begin(name));
    else for (const session of changed) this.#missing.add(session);
    const stale = [...this.#missing].filter(isWanted);
    for (let start = 0; start < stale.length; start += atOnce)
      this.#db.transaction(() => {
        for (const session of stale.slice(start, start + atOnce)) this.#make(session, basis);
      });
    for (const session of stale) this.#missing.delete(session);
  }

  /** @returns the sessions whose sums are missing or have another basis */
  #begin(basis: string): string[] {
    this.#basis = basis;
    this.#held.clear();
    this.#weight = 0;
    const ids = (sql: string, values: string[]) => this.#db.rows(sql, values, ([id]) => textIn(id));
    this.#unheld = new Set(ids(`SELECT session_id FROM ${this.#kind.table} WHERE basis = ?`, [basis]));
    return ids("SELECT id FROM sessions", []).filter((session) => !this.#unheld.has(session));
  }

  #make(session: string, basis: LedgerBasis): void {
    const value = this.#kind.read(session, basis);
    this.#db.run(
      `INSERT INTO ${this.#kind.table} VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET basis = excluded.basis, sums = excluded.sums`,
      [session, this.#basis, this.#kind.write(value)],
    );
    this.#hold(session, value);
  }

  #hold(session: string, value: Value): void {
    const weight = this.#kind.weightOf(value);
    const before = this.#held.get(session);
    if (before !== undefined) this.#weight -= this.#kind.weightOf(before);
    const hasRoom = this.#weight + weight <= maxHeld;
    if (hasRoom) {
      this.#held.set(session, value);
      this.#unheld.delete(session);
      this.#weight += weight;
    } else {
      this.#held.delete(session);
      this.#unheld.add(session);
    }
  }
}

const catalogues = new WeakMap<Catalogue, string>();
const unnamedZones = new WeakMap<LedgerBasis["dayOf"], string>();

/** Names the basis of sums: sums for other days or prices are invalid. */
function nameOf({ catalogue, dayOf, zone }: LedgerBasis): string {
  const prices = known(catalogues, catalogue, () => {
    const { date, models } = catalogue;
    return sha256Base64Url(JSON.stringify({ date, models }), 22);
  });
  return `${version} ${prices} ${zone ?? known(unnamedZones, dayOf, randomUUID)}`;
}

function known<Key extends object>(names: WeakMap<Key, string>, key: Key, make: () => string): string {
  const name = names.get(key) ?? make();
  names.set(key, name);
  return name;
}
