import { Sum, type UsageSum } from "../../usage/sum.ts";
import type { LedgerBasis } from "../basis.ts";
import type { LedgerFilter } from "../ledger-answers.ts";
import { predicatesOf, type FilterPredicates } from "../questions/use-counts.ts";
import type { SessionFacts } from "../store/session-facts.ts";
import type { UsageRollup } from "../sums/usage-rollup.ts";
import type { WhyQuestion } from "../why-answers.ts";
import type { CostCell, FoundCause, SessionCause } from "./found-causes.ts";
import { minHistory, type ScopeCell } from "./partition.ts";

/** Days before that say what is usual. */
const historyDays = 56;
const dayMs = 86_400_000;
const everything: LedgerFilter = { since: null, until: null, project: null, program: null };

/** An agent's work on a project. */
export interface Group {
  readonly program: string | null;
  readonly project: string | null;
}

interface AgentUsage {
  readonly program: string | null;
  readonly model: string;
  readonly sum: Sum;
}

/** Days before, or for a session other sessions, each with its cost. */
export type HistoryUnits = ReadonlyMap<string, readonly ScopeCell[]>;

/** The cost that is explained, and the cost before. */
export class WhyScope {
  readonly cells: ScopeCell[] = [];
  /** Days of the cells. */
  readonly days = new Set<string>();
  /** Null where days are explained. */
  readonly session: SessionFacts | null;
  readonly #rollup: UsageRollup;
  readonly #basis: LedgerBasis;
  readonly #question: WhyQuestion;
  readonly #predicates: FilterPredicates;
  readonly #found: { readonly session: string; readonly found: FoundCause }[] = [];
  readonly #before = new Map<string, ScopeCell[]>();
  readonly #projects = new Map<string, string>();
  readonly #usages = new Map<string, AgentUsage>();

  constructor(
    { rollup, basis }: { readonly rollup: UsageRollup; readonly basis: LedgerBasis },
    question: WhyQuestion,
    session: SessionFacts | null,
  ) {
    this.#rollup = rollup;
    this.#basis = basis;
    this.#question = question;
    this.session = session;
    const projectOf = (folder: string) => this.#projectOf(folder) ?? folder;
    this.#predicates = predicatesOf(session === null ? question : everything, { projectOf });
    const facts = rollup.facts();
    const since = this.#firstDay();
    const from = since === null ? null : daysBefore(since, historyDays);
    const isBefore = (day: string) => since !== null && from !== null && day < since && day >= from;
    const wanted = this.#readUsages(isBefore);
    rollup.eachCosts(
      basis,
      (id, { cells, found }) => {
        const program = facts.get(id)?.program ?? null;
        for (const cell of cells) this.#include(cell, { id, program }, isBefore);
        for (const each of found) if (this.#isIn(id, each)) this.#found.push({ session: id, found: each });
      },
      (id) => wanted.has(id),
    );
  }

  get facts(): ReadonlyMap<string, SessionFacts> {
    return this.#rollup.facts();
  }

  /** Days before with a cost; for a session, its agent's sessions, on its project if there are enough. */
  history(): HistoryUnits {
    const units = [...this.#before].filter(([, cells]) => sumOf(cells) > 0);
    if (this.session === null) return new Map(units);
    const { program, cwd } = this.session;
    const project = this.#projectOf(cwd);
    const peers = units.filter(([, [first]]) => first?.program === program);
    const near = peers.filter(([, [first]]) => first?.project === project);
    return new Map(near.length >= minHistory ? near : peers);
  }

  /** Returns the usage in question, by agent and model. */
  get usages(): readonly AgentUsage[] {
    return [...this.#usages.values()];
  }

  /** @returns the sessions that are explained, or compared with */
  #readUsages(isBefore: (day: string) => boolean): ReadonlySet<string> {
    const wanted = new Set<string>();
    const { program: asked } = this.#question;
    const filter = { ...everything, program: this.session === null ? asked : null };
    this.#rollup.eachBucket(filter, this.#basis, ({ day, cwd, model, sum }, { id, program }) => {
      const isIn = this.#isIn(id, { day, cwd });
      if (isIn || (day !== null && isBefore(day))) wanted.add(id);
      if (!isIn) return;
      const key = JSON.stringify([program, model]);
      const held = this.#usages.get(key) ?? { program, model, sum: new Sum() };
      this.#usages.set(key, held);
      held.sum.include(sum);
    });
    return wanted;
  }

  totals(): UsageSum {
    const whole = new Sum();
    for (const { sum } of this.usages) whole.include(sum);
    return whole.sum();
  }

  foundOf(cause: string, session: string | null = null): FoundCause[] {
    return this.#found
      .filter((each) => each.found.cause === cause && (session === null || each.session === session))
      .map(({ found }) => found);
  }

  /** All that was found of a cause, the dearest label first. */
  evidenceOf(cause: SessionCause): Omit<FoundCause, "day" | "cwd" | "turns"> {
    const own = this.foundOf(cause);
    const labels = new Map<string, { times: number; nanos: number }>();
    for (const found of own)
      for (const [label, { times, nanos }] of found.labels) {
        const held = labels.get(label) ?? { times: 0, nanos: 0 };
        labels.set(label, { times: held.times + times, nanos: held.nanos + nanos });
      }
    const total = (of: (found: FoundCause) => number) => own.reduce((sum, each) => sum + of(each), 0);
    const largest = own.toSorted((one, other) => other.tokens - one.tokens)[0];
    const isLong = cause === "long-output";
    return {
      cause,
      calls: isLong ? (largest?.calls ?? 0) : total(({ calls }) => calls),
      tokens: isLong ? (largest?.tokens ?? 0) : total(({ tokens }) => tokens),
      saved: total(({ saved }) => saved),
      labels: new Map(
        [...labels].sort(([, one], [, other]) => other.nanos - one.nanos || other.times - one.times),
      ),
    };
  }

  #include(
    { day, cwd, model, causes, nanos }: CostCell,
    { id, program }: { readonly id: string; readonly program: string | null },
    isBefore: (day: string) => boolean,
  ): void {
    const project = this.#projectOf(cwd);
    const cell = { session: id, program, project, day, model, causes, nanos };
    if (this.#isIn(id, { day, cwd })) {
      this.cells.push(cell);
      if (day !== null) this.days.add(day);
    } else if (day !== null && isBefore(day) && this.#predicates.isProject(cwd)) {
      const unit = this.session === null ? day : id;
      const list = this.#before.get(unit) ?? [];
      this.#before.set(unit, list);
      list.push(cell);
    }
  }

  /** Looking for a project's root reads folders, so each is looked for once. */
  #projectOf(cwd: string | null): string | null {
    if (cwd === null) return null;
    const known = this.#projects.get(cwd) ?? this.#basis.projectOf(cwd);
    this.#projects.set(cwd, known);
    return known;
  }

  #isIn(id: string, { day, cwd }: { readonly day: string | null; readonly cwd: string | null }): boolean {
    if (this.session !== null) return this.session.id === id;
    return this.#predicates.isDay(day) && this.#predicates.isProject(cwd);
  }

  /** The first day of what is explained; null where nothing can come before it. */
  #firstDay(): string | null {
    if (this.session === null) return this.#question.since;
    const at = this.session.firstAt ?? this.session.lastAt;
    return at === null ? null : this.#basis.dayOf(at);
  }
}

export function sumOf(cells: readonly ScopeCell[]): number {
  return cells.reduce((sum, { nanos }) => sum + nanos, 0);
}

/** In UTC every day has 24 hours. */
function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);
}
