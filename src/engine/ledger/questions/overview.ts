import { Sum } from "../../usage/sum.ts";
import { selectAnomalies } from "../anomalies/queries.ts";
import type { LedgerFilter, Overview, Reread, SessionSummary } from "../ledger-answers.ts";
import { Breakdown, CalledBreakdown, compareNames, byReads, rereadOf } from "./rereads.ts";
import type { Database } from "../store/database.ts";
import type { LedgerBasis } from "../basis.ts";
import { CostKinds } from "./cost-by-kind.ts";
import { usageByHour } from "./usage-hours.ts";
import { selectPlanLimits, summaryOf } from "./queries.ts";
import type { UsageBucket } from "../sums/usage-buckets.ts";
import type { MachineNames } from "../machines/machine-names.ts";
import { predicatesOf, type FilterPredicates } from "./use-counts.ts";
import type { BucketSession, UsageRollup } from "../sums/usage-rollup.ts";

/** Maximum items per list in an overview. */
const [maxSessions, maxRereads, maxAnomalies] = [200, 200, 200];

interface Asked {
  readonly rollup: UsageRollup;
  readonly basis: LedgerBasis;
  readonly filter: LedgerFilter;
  readonly predicates: FilterPredicates;
}

export function overviewOf(
  { db, rollup, basis }: { db: Database; rollup: UsageRollup; basis: LedgerBasis },
  given: LedgerFilter,
): Overview {
  const filter = rollup.withMachine(given, basis);
  const names = rollup.machines(basis);
  const predicates = predicatesOf(filter, basis);
  const asked: Asked = { rollup, basis, filter, predicates };
  const sums = sumsOf(asked);
  const sessions = sessionsOf(asked, sums);
  const chosen = new Set(sessions.map(({ id }) => id));
  return {
    ...sums.parts(),
    hours: usageByHour(db, basis, { filter, sessions: sums.ofSessions.keys() }),
    ...calledOf(asked),
    rereads: rereadsOf(asked, chosen),
    anomalies: selectAnomalies(db, {})
      .filter(({ sessionId, at }) => chosen.has(sessionId) && predicates.isDay(dayOf(at, basis)))
      .slice(0, maxAnomalies),
    planLimits: selectPlanLimits(db).filter(({ program }) => predicates.isProgram(program)),
    machines: names.size > 1 ? sums.machines(names) : [],
    sessions: sessions.slice(0, maxSessions).map((each) => marked(each, { rollup, names })),
    sessionCount: sessions.length,
    choices: {
      projects: [...sums.folders].sort(compareNames),
      programs: programsOf(asked),
      machines: names.size > 1 ? [...names.values()] : [],
    },
  };
}

/**
 * Returns the average cost since a day of a token that entered a context, with its later reads from the cache. USD; null
 * without usage, or where no model has a price.
 */
export function enteringPrice(
  { rollup, basis }: { rollup: UsageRollup; basis: LedgerBasis },
  since: string,
): number | null {
  const filter = { since, until: null, project: null, program: null };
  const { totals, costByKind } = sumsOf({
    rollup,
    basis,
    filter,
    predicates: predicatesOf(filter, basis),
  }).parts();
  const { input, cacheCreation5m, cacheCreation1h } = totals.usage;
  const [tokens, usd] = [
    input + cacheCreation5m + cacheCreation1h,
    costByKind.input + costByKind.cacheWrites + costByKind.cacheReads,
  ];
  return tokens > 0 && usd > 0 ? usd / tokens : null;
}

class OverviewSums {
  readonly #basis: LedgerBasis;
  readonly ofSessions = new Map<string, Sum>();
  /** Independent of the filter: the sessions with responses, and the projects of those responses. */
  readonly answered = new Set<string>();
  readonly folders = new Set<string>();
  undated = 0;
  readonly #totals = new Sum();
  readonly #days = new Map<string, { readonly models: Breakdown; readonly programs: Breakdown }>();
  readonly #projects = new Breakdown();
  readonly #models = new Breakdown();
  readonly #programs = new Breakdown();
  readonly #branches = new Breakdown();
  readonly #subagents = new Breakdown();
  readonly #machines = new Breakdown();

  readonly #costs: CostKinds;

  constructor(basis: LedgerBasis) {
    this.#basis = basis;
    this.#costs = new CostKinds(basis.catalogue);
  }

  include({ day, cwd, model, branch, subagent, machine, sum }: UsageBucket, of: BucketSession): void {
    this.#totals.include(sum);
    this.#costs.include({ model, day }, sum.sum());
    this.#projects.include(cwd === null ? null : this.#basis.projectOf(cwd), sum);
    this.#models.include(model, sum);
    this.#programs.include(of.program, sum);
    this.#branches.include(branch, sum);
    this.#subagents.include(subagent, sum);
    this.#machines.include(machine, sum);
    heldOr(this.ofSessions, of.id, () => new Sum()).include(sum);
    if (day === null) return;
    const { models, programs } = heldOr(this.#days, day, () => ({
      models: new Breakdown(),
      programs: new Breakdown(),
    }));
    models.include(model, sum);
    programs.include(of.program, sum);
  }

  see(session: string, buckets: readonly UsageBucket[]): void {
    if (buckets.length > 0) this.answered.add(session);
    for (const { cwd } of buckets) if (cwd !== null) this.folders.add(this.#basis.projectOf(cwd));
  }

  machines(names: MachineNames): Overview["machines"] {
    return this.#machines.parts().map((part) => ({ ...part, key: names.get(part.key ?? "") ?? part.key }));
  }

  parts() {
    return {
      totals: this.#totals.sum(),
      costByKind: this.#costs.costs(),
      days: [...this.#days]
        .sort(([one], [other]) => compareNames(one, other))
        .map(([day, { models, programs }]) => ({ day, models: models.parts(), programs: programs.parts() })),
      projects: this.#projects.parts(),
      models: this.#models.parts(),
      programs: this.#programs.parts(),
      branches: this.#branches.parts(),
      subagents: this.#subagents.parts(),
      undated: this.undated,
    };
  }
}

function sumsOf({ rollup, basis, filter }: Asked): OverviewSums {
  const sums = new OverviewSums(basis);
  sums.undated = rollup.eachBucket(
    filter,
    basis,
    (bucket, session) => sums.include(bucket, session),
    (session, buckets) => sums.see(session, buckets),
  );
  return sums;
}

function calledOf({ rollup, basis, filter }: Asked): Pick<Overview, "tools" | "skills" | "servers"> {
  const parts = { tool: new CalledBreakdown(), skill: new CalledBreakdown(), server: new CalledBreakdown() };
  rollup.eachCalled(filter, basis, (bucket) => parts[bucket.by].include(bucket));
  return { tools: parts.tool.parts(), skills: parts.skill.parts(), servers: parts.server.parts() };
}

/**
 * Most recently active first: sessions with responses that pass the filter, and sessions without any responses whose
 * own facts pass it.
 */
function sessionsOf(
  { rollup, basis, predicates: sieve }: Asked,
  { ofSessions, answered }: OverviewSums,
): readonly SessionSummary[] {
  const summaries: SessionSummary[] = [];
  for (const facts of rollup.facts().values()) {
    const { id, program, cwd, lastAt } = facts;
    const sum = ofSessions.get(id);
    // A session without an entry of its own has no program: it is only an id that other rows refer to.
    const isEmpty = program !== null && !answered.has(id);
    const isLet =
      sieve.isMachine(facts.machine) &&
      sieve.isProgram(program) &&
      sieve.isProject(cwd) &&
      sieve.isDay(dayOf(lastAt, basis));
    if (sum !== undefined || (isEmpty && isLet)) summaries.push(summaryOf(facts, sum ?? new Sum()));
  }
  return summaries.sort(
    (one, other) => (other.lastAt ?? 0) - (one.lastAt ?? 0) || compareNames(one.id, other.id),
  );
}

/** A session of another machine has its label. */
function marked(
  summary: SessionSummary,
  { rollup, names }: { readonly rollup: UsageRollup; readonly names: MachineNames },
): SessionSummary {
  const machine = rollup.facts().get(summary.id)?.machine ?? "";
  const label = machine === "" ? undefined : names.get(machine);
  return label === undefined ? summary : { ...summary, machine: label };
}

function rereadsOf({ rollup, basis, predicates: sieve }: Asked, chosen: ReadonlySet<string>): Reread[] {
  const rereads: Reread[] = [];
  rollup.eachReread(basis, (sessionId, files) => {
    if (!chosen.has(sessionId)) return;
    for (const file of files) {
      const reread = rereadOf(file, { sessionId, isDay: (day) => sieve.isDay(day) });
      if (reread !== null) rereads.push(reread);
    }
  });
  return rereads.sort(byReads).slice(0, maxRereads);
}

/** The programs to filter by, whatever the current filter. */
function programsOf({ rollup }: Asked): string[] {
  const programs = new Set<string>();
  for (const { program } of rollup.facts().values()) if (program !== null) programs.add(program);
  return [...programs].sort(compareNames);
}

function dayOf(at: number | null, basis: LedgerBasis): string | null {
  return at === null ? null : basis.dayOf(at);
}

function heldOr<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const held = map.get(key);
  if (held !== undefined) return held;
  const made = make();
  map.set(key, made);
  return made;
}
