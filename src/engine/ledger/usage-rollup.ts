import { isLimited } from "../usage/local-day.ts";
import { UsageGroups, type UsageReport } from "../usage/usage-groups.ts";
import { Sum } from "../usage/usage-sum.ts";
import { isCalledKind, readCalledBuckets, type CalledBucket, type CalledKind } from "./called-tally.ts";
import type { Database } from "./database.ts";
import type { LedgerBasis } from "./ledger-basis.ts";
import { readRereads, type RereadFile } from "./rereads.ts";
import { SessionCache } from "./session-cache.ts";
import type { SessionChanges } from "./session-changes.ts";
import { readSessionFacts, type SessionFacts } from "./session-facts.ts";
import { readUsageBuckets, type UsageBucket } from "./usage-buckets.ts";
import { sieveOf, type LedgerGrouping, type UsageQuery } from "./usage-question.ts";

type Filter = Omit<UsageQuery, "by">;

/** The session a bucket is of. */
export interface BucketSession {
  readonly id: string;
  readonly program: string | null;
}

/**
 * Sums kept in memory: a question costs as much as there are sessions, and only sessions that changed since the last one
 * are read again.
 */
export class UsageRollup {
  readonly #facts: SessionCache<SessionFacts>;
  readonly #buckets: SessionCache<readonly UsageBucket[]>;
  readonly #called: SessionCache<readonly CalledBucket[]>;
  readonly #rereads: SessionCache<readonly RereadFile[]>;
  #basis: LedgerBasis | null = null;

  constructor(db: Database, changes: SessionChanges) {
    this.#facts = new SessionCache(changes.watch(), (session) => readSessionFacts(db, session));
    this.#buckets = new SessionCache(changes.watch(), (session) =>
      readUsageBuckets({ db, basis: this.#known(), facts: this.facts() }, session),
    );
    this.#called = new SessionCache(changes.watch(), (session) =>
      readCalledBuckets({ db, basis: this.#known() }, session),
    );
    this.#rereads = new SessionCache(changes.watch(), (session) =>
      readRereads({ db, dayOf: this.#known().dayOf }, session),
    );
  }

  facts(): ReadonlyMap<string, SessionFacts> {
    return this.#facts.values();
  }

  buckets(basis: LedgerBasis): ReadonlyMap<string, readonly UsageBucket[]> {
    this.#restOn(basis);
    return this.#buckets.values();
  }

  rereads(basis: LedgerBasis): ReadonlyMap<string, readonly RereadFile[]> {
    this.#restOn(basis);
    return this.#rereads.values();
  }

  /** Answers the same as `aggregateUsage` over all counted responses, where it knows the grouping. */
  report(query: UsageQuery, basis: LedgerBasis): UsageReport {
    const { by } = query;
    const groups = new UsageGroups();
    const totals = new Sum();
    const undated = this.eachBucket(query, basis, (bucket, { id, program }) => {
      totals.include(bucket.sum);
      if (isCalledKind(by)) return;
      groups.sumOf(keyOf(by, { session: id, program, bucket }), bucket.model).include(bucket.sum);
    });
    if (isCalledKind(by))
      this.eachCalled(query, basis, (bucket) => {
        const { key, model, sum } = bucket;
        if (bucket.by === by && sum.responses > 0) groups.sumOf(key ?? "none", model).include(sum);
      });
    return groups.report({ by, undated, totals });
  }

  /**
   * Visits what a filter lets through.
   *
   * @returns how many responses were left out because the filter names days and they have no readable time
   */
  eachBucket(
    filter: Filter,
    basis: LedgerBasis,
    visit: (bucket: UsageBucket, of: BucketSession) => void,
  ): number {
    const sieve = sieveOf(filter);
    const facts = this.facts();
    let undated = 0;
    for (const [id, buckets] of this.buckets(basis)) {
      const program = facts.get(id)?.program ?? null;
      if (!sieve.isProgram(program)) continue;
      for (const bucket of buckets) {
        if (!sieve.isProject(bucket.cwd)) continue;
        if (bucket.day === null && isLimited(filter)) undated += bucket.sum.responses;
        if (sieve.isDay(bucket.day)) visit(bucket, { id, program });
      }
    }
    return undated;
  }

  /** Visits what a filter lets through of what was called. */
  eachCalled(filter: Filter, basis: LedgerBasis, visit: (bucket: CalledBucket) => void): void {
    const sieve = sieveOf(filter);
    const facts = this.facts();
    this.#restOn(basis);
    for (const [id, buckets] of this.#called.values()) {
      if (!sieve.isProgram(facts.get(id)?.program ?? null)) continue;
      for (const bucket of buckets) if (sieve.isProject(bucket.cwd) && sieve.isDay(bucket.day)) visit(bucket);
    }
  }

  #restOn(basis: LedgerBasis): void {
    if (this.#basis?.catalogue === basis.catalogue && this.#basis.dayOf === basis.dayOf) return;
    this.#basis = basis;
    for (const cache of [this.#buckets, this.#called, this.#rereads]) cache.clear();
  }

  #known(): LedgerBasis {
    if (this.#basis === null) throw new Error("nothing was asked yet");
    return this.#basis;
  }
}

/** `unknown` is what the response does not tell, `main` the main conversation. */
function keyOf(
  by: Exclude<LedgerGrouping, CalledKind>,
  { session, program, bucket }: { session: string; program: string | null; bucket: UsageBucket },
): string {
  switch (by) {
    case "day":
      return bucket.day ?? "unknown";
    case "session":
      return session;
    case "project":
      return bucket.cwd ?? "unknown";
    case "model":
      return bucket.model;
    case "agent":
      return program ?? "unknown";
    case "branch":
      return bucket.branch ?? "unknown";
    case "subagent":
      return bucket.subagent ?? "main";
  }
}
