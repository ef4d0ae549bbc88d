import { setImmediate as nextTurn } from "node:timers/promises";
import { succeed, type Result } from "../../base/result.ts";
import { selectAnomalies } from "./queries.ts";
import type { Anomaly } from "../ledger-answers.ts";
import { textIn } from "../store/cell.ts";
import type { Acknowledgement, AppendReason } from "../journal/commit-queue.ts";
import type { Database } from "../store/database.ts";
import type { LedgerEntry } from "../entries/entries-entry.ts";
import { newAnomalies, newsFor } from "./find.ts";
import type { SessionChanges, SessionWatch } from "../store/session-changes.ts";

type Append = (entries: readonly LedgerEntry[]) => Promise<Result<Acknowledgement, AppendReason>>;
type Recorded = Result<readonly Anomaly[], AppendReason>;

export class AnomalyRecorder {
  readonly #db: Database;
  readonly #watch: SessionWatch;
  #isFirst = true;
  #isEnded = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Database, changes: SessionChanges) {
    this.#db = db;
    this.#watch = changes.watch(["response", "tool-call", "run", "compaction"]);
  }

  /** Runs one pass at a time. */
  record(now: number, append: Append): Promise<Recorded> {
    const pass = this.#last.then(() => this.#pass(now, append));
    // The caller receives a failure; the next pass still starts.
    this.#last = pass.then(
      () => undefined,
      () => undefined,
    );
    return pass;
  }

  /** Resolves after the session in progress; the next opening searches the last day again. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#last;
  }

  async #pass(now: number, append: Append): Promise<Recorded> {
    const anomalies: Anomaly[] = [];
    const left = new Set(this.#sessions(now));
    try {
      for (const session of left) {
        if (this.#isEnded) break;
        left.delete(session);
        const recorded = await this.#recordOf(session, { now, append });
        if (!recorded.ok) {
          left.add(session);
          return recorded;
        }
        anomalies.push(...recorded.value);
        await nextTurn();
      }
    } finally {
      for (const session of left) this.#watch.add(session);
    }
    return succeed(anomalies);
  }

  async #recordOf(session: string, { now, append }: { now: number; append: Append }): Promise<Recorded> {
    // The machine that a session is from tells its user.
    const isOwn = this.#db.first(
      "SELECT machine FROM sessions WHERE id = ?",
      [session],
      ([machine]) => machine === "",
    );
    const entries = isOwn === true ? newAnomalies(this.#db, session, now) : [];
    if (entries.length === 0) return succeed([]);
    const known = new Set(selectAnomalies(this.#db, { session }).map(({ id }) => id));
    const done = await append(entries);
    if (!done.ok) return done;
    const unshown = selectAnomalies(this.#db, { session, unshownOnly: true });
    return succeed(unshown.filter(({ id }) => !known.has(id)));
  }

  #sessions(now: number): ReadonlySet<string> {
    const changed = this.#watch.take();
    if (!this.#isFirst) return changed;
    this.#isFirst = false;
    const recent = this.#db.rows("SELECT id FROM sessions WHERE last_at >= ?", [now - newsFor], ([id]) =>
      textIn(id),
    );
    return new Set([...changed, ...recent]);
  }
}
