import { isLimited } from "../../usage/local-day.ts";
import { Sum, UsageGroups, type UsageReport } from "../../usage/sum.ts";
import {
  isCalledKind,
  parseCalledBuckets,
  readCalledBuckets,
  writeCalledBuckets,
  type CalledBucket,
  type CalledKind,
} from "./called-tally.ts";
import type { Database } from "../store/database.ts";
import type { LedgerBasis } from "../basis.ts";
import { parseRereads, readRereads, writeRereads, type RereadFile } from "../questions/rereads.ts";
import type { SessionChanges, SessionWatch } from "../store/session-changes.ts";
import { readSessionFacts, type SessionFacts } from "../store/session-facts.ts";
import { parseSavings, readSavings, type SessionSavings } from "./savings.ts";
import { SessionSums, sumsOf } from "./by-session.ts";
import { parseSessionCosts, writeSessionCosts, type SessionCosts } from "../why/found-causes.ts";
import { sessionCostsOf } from "../why/session-costs.ts";
import { readSessionTrace } from "../why/session-trace.ts";
import { parseUsageBuckets, readUsageBuckets, writeUsageBuckets, type UsageBucket } from "./usage-buckets.ts";
import { machineIdOf, machineNames, type MachineNames } from "../machines/machine-names.ts";
import { predicatesOf, type LedgerGrouping, type UsageQuery } from "../questions/use-counts.ts";

/** A value for each session, cached in memory: everything is read at first use, then only what changed. */
class SessionCache<Value> {
  readonly #watch: SessionWatch;
  /** Reads the value of one session, or of all sessions when it is null. */
  readonly #read: (session: string | null) => ReadonlyMap<string, Value>;
  #values: Map<string, Value> | null = null;

  constructor(watch: SessionWatch, read: (session: string | null) => ReadonlyMap<string, Value>) {
    this.#watch = watch;
    this.#read = read;
  }

  values(): ReadonlyMap<string, Value> {
    const changed = this.#watch.take();
    if (this.#values === null) return (this.#values = new Map(this.#read(null)));
    for (const session of changed) {
      const value = this.#read(session).get(session);
      if (value === undefined) this.#values.delete(session);
      else this.#values.set(session, value);
    }
    return this.#values;
  }

  /** Drops everything, because the basis of the values has changed. */
  clear(): void {
    this.#values = null;
  }
}

type Filter = Omit<UsageQuery, "by">;

const noNames: MachineNames = new Map();

export interface BucketSession {
  readonly id: string;
  readonly program: string | null;
}

/** Sums by session: a question's cost grows with the number of sessions, and only changed sessions are read again. */
export class UsageRollup {
  readonly #db: Database;
  readonly #facts: SessionCache<SessionFacts>;
  readonly #usage: SessionSums<UsageBucket[]>;
  readonly #called: SessionSums<CalledBucket[]>;
  readonly #rereads: SessionSums<RereadFile[]>;
  readonly #costs: SessionSums<SessionCosts>;
  readonly #savings: SessionSums<SessionSavings>;

  constructor(db: Database, changes: SessionChanges) {
    this.#db = db;
    this.#facts = new SessionCache(changes.watch(["session"]), (session) => readSessionFacts(db, session));
    this.#usage = new SessionSums(db, changes.watch(sumsOf.session_usage), {
      table: "session_usage",
      read: (id, basis) => readUsageBuckets(db, basis, { id, branch: this.facts().get(id)?.branch ?? null }),
      write: writeUsageBuckets,
      parse: parseUsageBuckets,
      weightOf: ({ length }) => length,
    });
    this.#called = new SessionSums(db, changes.watch(sumsOf.session_calls), {
      table: "session_calls",
      read: (session, basis) => readCalledBuckets(db, basis, session),
      write: writeCalledBuckets,
      parse: parseCalledBuckets,
      weightOf: ({ length }) => length,
    });
    this.#rereads = new SessionSums(db, changes.watch(sumsOf.session_rereads), {
      table: "session_rereads",
      read: (session, basis) => readRereads(db, basis, session),
      write: writeRereads,
      parse: parseRereads,
      weightOf: ({ length }) => length,
    });
    this.#costs = new SessionSums(db, changes.watch(sumsOf.session_costs), {
      table: "session_costs",
      read: (session, basis) => sessionCostsOf(readSessionTrace(db, session), basis),
      write: writeSessionCosts,
      parse: parseSessionCosts,
      weightOf: ({ cells, found }) => cells.length + found.length,
    });
    this.#savings = new SessionSums(db, changes.watch(sumsOf.session_savings), {
      table: "session_savings",
      read: (session, basis) => readSavings(db, session, basis),
      write: (savings) => JSON.stringify(savings),
      parse: parseSavings,
      weightOf: ({ outputs, followUps }) => outputs.length + followUps.length,
    });
  }

  facts(): ReadonlyMap<string, SessionFacts> {
    return this.#facts.values();
  }

  /** A filter with the id of its machine. */
  withMachine<Asked extends { readonly machine?: string | null | undefined }>(
    asked: Asked,
    basis: LedgerBasis,
  ): Asked {
    const { machine } = asked;
    return machine === null || machine === undefined
      ? asked
      : { ...asked, machine: machineIdOf(machine, this.machines(basis)) };
  }

  machines(basis: LedgerBasis): MachineNames {
    return machineNames(this.#db, basis);
  }

  /** The cost of the wanted sessions by its causes. */
  eachCosts(
    basis: LedgerBasis,
    visit: (session: string, costs: SessionCosts) => void,
    isWanted: (session: string) => boolean,
  ): void {
    this.#costs.each(basis, visit, isWanted);
  }

  /** What shortened outputs of the wanted sessions saved, and the calls that followed them. */
  eachSavings(
    basis: LedgerBasis,
    visit: (session: string, savings: SessionSavings) => void,
    isWanted: (session: string) => boolean,
  ): void {
    this.#savings.each(basis, visit, isWanted);
  }

  eachReread(basis: LedgerBasis, visit: (session: string, files: readonly RereadFile[]) => void): void {
    this.#rereads.each(basis, visit);
  }

  /** The same report as `aggregateUsage` over all counted responses, for the groupings that both have. */
  report(asked: UsageQuery, basis: LedgerBasis): UsageReport {
    const query = this.withMachine(asked, basis);
    const { by } = query;
    const names = by === "machine" ? this.machines(basis) : noNames;
    const groups = new UsageGroups();
    const totals = new Sum();
    const undated = this.eachBucket(query, basis, (bucket, { id, program }) => {
      totals.include(bucket.sum);
      if (isCalledKind(by)) return;
      groups
        .sumOf(keyOf(by, { session: id, program, bucket, names }, basis), bucket.model)
        .include(bucket.sum);
    });
    if (isCalledKind(by))
      this.eachCalled(query, basis, (bucket) => {
        const { key, model, sum } = bucket;
        if (bucket.by === by && sum.responses > 0) groups.sumOf(key ?? "none", model).include(sum);
      });
    return groups.report({ by, undated, totals });
  }

  /**
   * Visits the buckets that pass a filter.
   *
   * @param seen visits every session's buckets, whatever the filter
   * @returns how many responses were left out because the filter names days and they have no readable time
   */
  eachBucket(
    filter: Filter,
    basis: LedgerBasis,
    visit: (bucket: UsageBucket, of: BucketSession) => void,
    seen: (session: string, buckets: readonly UsageBucket[]) => void = () => undefined,
  ): number {
    const predicates = predicatesOf(filter, basis);
    const facts = this.facts();
    let undated = 0;
    this.#usage.each(basis, (id, buckets) => {
      seen(id, buckets);
      const program = facts.get(id)?.program ?? null;
      if (!predicates.isProgram(program)) return;
      for (const bucket of buckets) {
        if (!predicates.isMachine(bucket.machine) || !predicates.isProject(bucket.cwd)) continue;
        if (bucket.day === null && isLimited(filter)) undated += bucket.sum.responses;
        if (predicates.isDay(bucket.day)) visit(bucket, { id, program });
      }
    });
    return undated;
  }

  eachCalled(filter: Filter, basis: LedgerBasis, visit: (bucket: CalledBucket) => void): void {
    const predicates = predicatesOf(filter, basis);
    const facts = this.facts();
    this.#called.each(basis, (id, buckets) => {
      if (!predicates.isProgram(facts.get(id)?.program ?? null)) return;
      for (const bucket of buckets)
        if (
          predicates.isMachine(bucket.machine) &&
          predicates.isProject(bucket.cwd) &&
          predicates.isDay(bucket.day)
        )
          visit(bucket);
    });
  }
}

/** `unknown` for unreported values, `main` for the main conversation. */
function keyOf(
  by: Exclude<LedgerGrouping, CalledKind>,
  {
    session,
    program,
    bucket,
    names,
  }: { session: string; program: string | null; bucket: UsageBucket; names: MachineNames },
  { projectOf }: LedgerBasis,
): string {
  switch (by) {
    case "day":
      return bucket.day ?? "unknown";
    case "session":
      return session;
    case "project":
      return bucket.cwd === null ? "unknown" : projectOf(bucket.cwd);
    case "model":
      return bucket.model;
    case "agent":
      return program ?? "unknown";
    case "branch":
      return bucket.branch ?? "unknown";
    case "subagent":
      return bucket.subagent ?? "main";
    case "machine":
      return names.get(bucket.machine) ?? bucket.machine;
  }
}
