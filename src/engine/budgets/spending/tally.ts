import {
  addAmounts,
  creditsPerUsd,
  exact,
  isBilledInCredits,
  largerAmounts,
  noAmounts,
  type Amounts,
} from "../amounts.ts";
import type { Budget, LevelName, Limit } from "../budget.ts";
import { convoyOf } from "../convoys/members.ts";
import { lastDayCounted, periodStart } from "../period.ts";
import { isLive, reservedBy, usedIn, type Spender, type Spending, type UsageRow } from "./spending.ts";
import type { AgentDay, SessionTotals } from "./session-totals.ts";

/** Tokens of a session in its live transcript that no ledger has yet. They belong to today and to the current run. */
export interface Unrecorded {
  readonly sessionId: string;
  readonly agentId: string;
  readonly convoyId: string | null;
  readonly used: FreshAmounts;
  /** The part used since the session's last prompt. */
  readonly ofRun: FreshAmounts;
}

export type FreshAmounts = Omit<Amounts, "credits">;

export interface TallyMoment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly unrecorded?: readonly Unrecorded[];
  /** Whether a new run has started since the last one that the ledger knows of. */
  readonly isNewRun?: boolean;
}

/** A session's usage of a limit, as recorded by callers and as in the ledger: the same calls, so the larger figures count. */
interface SessionUse {
  readonly reported: Amounts;
  readonly counted: Amounts;
}

const unused: SessionUse = { reported: noAmounts, counted: noAmounts };

interface Use {
  readonly sum: Amounts;
  readonly sessions: ReadonlyMap<string, SessionUse>;
}

type Counted = Pick<Limit, "level" | "period">;

interface Rows {
  readonly usage: readonly UsageRow[];
  readonly ledger: readonly LedgerRow[];
}

interface LedgerRow extends Pick<AgentDay, "agentId" | "type" | "day" | "at"> {
  readonly sessionId: string;
  readonly convoyId: string | null;
  readonly used: Amounts;
  readonly ofRun: Amounts;
}

/**
 * Adds up the usage of a project's agents for any limit. A session's tokens belong to the convoy that the budgets assign to the branch
 * they were used on; so a budget that is created, joined or changed later also covers earlier usage.
 */
export class Tally {
  readonly spending: Spending;
  readonly #all: Rows;
  readonly #bySession = new Map<string, { usage: UsageRow[]; ledger: LedgerRow[] }>();
  readonly #totals: ReadonlyMap<string, SessionTotals>;
  readonly #uses = new Map<string, Use>();

  constructor(spending: Spending, budgets: readonly Budget[]) {
    this.spending = spending;
    this.#totals = new Map(spending.totals.map((session) => [session.sessionId, session]));
    this.#all = { usage: spending.usage, ledger: ledgerRows(spending, budgets) };
    for (const row of this.#all.usage) this.#ofSession(row.sessionId).usage.push(row);
    for (const row of this.#all.ledger) this.#ofSession(row.sessionId).ledger.push(row);
  }

  session(sessionId: string): SessionTotals | undefined {
    return this.#totals.get(sessionId);
  }

  used(limit: Counted, subject: Spender, { now, unrecorded = [], isNewRun = false }: TallyMoment): Amounts {
    const { sum, sessions } = this.#use(limit, subject, now);
    const isRun = limit.period === "run";
    const isOf = coveredBy(limit.level, subject);
    const isCounted = (each: Unrecorded) => isOf(each) && (!isRun || each.sessionId === subject.runId);
    const fresh = new Map<string, Amounts>();
    for (const each of unrecorded.filter(isCounted)) {
      const program = this.#totals.get(each.sessionId)?.program;
      const added = withCredits(isRun ? each.ofRun : each.used, program);
      fresh.set(each.sessionId, addAmounts(fresh.get(each.sessionId) ?? noAmounts, added));
    }
    const isOver = isRun && isNewRun;
    if (isOver && !fresh.has(subject.sessionId)) fresh.set(subject.sessionId, noAmounts);
    return [...fresh].reduce((total, [sessionId, used]) => {
      const { reported, counted } = sessions.get(sessionId) ?? unused;
      const before = largerAmounts(reported, counted);
      const present = largerAmounts(reported, isOver ? used : addAmounts(counted, used));
      return addAmounts(total, differenceOf(present, before));
    }, sum);
  }

  /** Average price of the project's tokens, for calls whose price is unknown. USD for each token; null while there is none. */
  usdPerToken(now: number): number | null {
    const nobody = { convoyId: null, agentId: "", sessionId: "", runId: "" };
    const { tokens, unpriced, usd } = this.#use({ level: "project", period: "total" }, nobody, now).sum;
    return usd > 0 && tokens > unpriced ? usd / (tokens - unpriced) : null;
  }

  reserved({ level, period }: Counted, subject: Spender, now: number): Amounts {
    const isOf = coveredBy(level, subject);
    const isRun = period === "run";
    return this.spending.leases
      .filter((lease) => isOf(lease) && isLive(lease, now) && (!isRun || lease.runId === subject.runId))
      .reduce((sum, lease) => addAmounts(sum, reservedBy(lease)), noAmounts);
  }

  /** Returns every subject with usage or reservations within a limit's reach, each once, the most recent first. */
  subjects({ level, period }: Counted, convoyId: string, now: number): TallySubject[] {
    const { usage, leases } = this.spending;
    const isIn = (spender: { readonly convoyId: string | null }) =>
      level === "project" || spender.convoyId === convoyId;
    const all: TallySubject[] = [
      ...leases
        .filter((lease) => isLive(lease, now))
        .map((lease) => ({ ...spenderIn(lease), type: null, at: lease.grantedAt })),
      ...usage.map((row) => ({ ...spenderIn(row), type: null, at: row.at })),
      ...this.#all.ledger.map(({ sessionId, agentId, convoyId: of, type, at }) => ({
        sessionId,
        agentId,
        convoyId: of,
        type,
        runId: sessionId,
        at: at ?? -Infinity,
      })),
    ];
    const seen = new Map<string, TallySubject>();
    for (const each of all.filter(isIn).toSorted((one, other) => other.at - one.at)) {
      const key = JSON.stringify([nameOf(level, each), period === "run" ? each.runId : null]);
      const known = seen.get(key);
      if (known === undefined) seen.set(key, each);
      else if (known.type === null && each.type !== null) seen.set(key, { ...known, type: each.type });
    }
    return [...seen.values()];
  }

  #use({ level, period }: Counted, subject: Spender, now: number): Use {
    const since = periodStart(period, now);
    const run = period === "run" ? subject.runId : null;
    const until = lastDayCounted(period, now);
    const key = JSON.stringify([level, nameOf(level, subject), since, until, run]);
    const known = this.#uses.get(key);
    if (known !== undefined) return known;
    const isOf = coveredBy(level, subject);
    const sessions = new Map<string, SessionUse>();
    const add = (sessionId: string, use: SessionUse) => {
      const { reported, counted } = sessions.get(sessionId) ?? unused;
      sessions.set(sessionId, {
        reported: addAmounts(reported, use.reported),
        counted: addAmounts(counted, use.counted),
      });
    };
    const { usage, ledger } =
      level === "session" || level === "agent" ? this.#ofSession(subject.sessionId) : this.#all;
    const isIn = (day: string) => since === null || (day >= since && day <= until);
    for (const row of usage)
      if (isOf(row) && isIn(row.day) && (run === null || row.runId === run))
        add(row.sessionId, { ...unused, reported: usedIn(row) });
    for (const row of ledger) {
      if (!isOf(row)) continue;
      // A session's id stands for its current run.
      if (run !== null && row.sessionId === run) add(row.sessionId, { ...unused, counted: row.ofRun });
      else if (run === null && (since === null || (row.day !== null && isIn(row.day))))
        add(row.sessionId, { ...unused, counted: row.used });
    }
    const use = { sum: sumOf(sessions), sessions };
    this.#uses.set(key, use);
    return use;
  }

  #ofSession(sessionId: string): { usage: UsageRow[]; ledger: LedgerRow[] } {
    const known = this.#bySession.get(sessionId) ?? { usage: [], ledger: [] };
    this.#bySession.set(sessionId, known);
    return known;
  }
}

export interface TallySubject extends Spender {
  readonly type: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

function sumOf(sessions: ReadonlyMap<string, SessionUse>): Amounts {
  return [...sessions.values()].reduce(
    (sum, { reported, counted }) => addAmounts(sum, largerAmounts(reported, counted)),
    noAmounts,
  );
}

function differenceOf(one: Amounts, other: Amounts): Amounts {
  return {
    tokens: one.tokens - other.tokens,
    usd: one.usd - other.usd,
    credits: one.credits - other.credits,
    unpriced: one.unpriced - other.unpriced,
  };
}

/** GitHub's credits are dollars at its list prices. */
function withCredits(used: FreshAmounts, program: string | null | undefined): Amounts {
  return { ...used, credits: isBilledInCredits(program) ? exact(used.usd * creditsPerUsd) : 0 };
}

function coveredBy(
  level: LevelName,
  subject: Omit<Spender, "runId">,
): (other: Omit<Spender, "runId">) => boolean {
  switch (level) {
    case "project":
      return () => true;
    case "convoy":
      return ({ convoyId }) => convoyId === subject.convoyId;
    case "session":
      return ({ convoyId, sessionId }) => convoyId === subject.convoyId && sessionId === subject.sessionId;
    case "agent":
      return ({ convoyId, sessionId, agentId }) =>
        convoyId === subject.convoyId && sessionId === subject.sessionId && agentId === subject.agentId;
  }
}

function nameOf(
  level: LevelName,
  { convoyId, sessionId, agentId }: Omit<Spender, "runId">,
): readonly unknown[] {
  switch (level) {
    case "project":
      return [];
    case "convoy":
      return [convoyId];
    case "session":
      return [convoyId, sessionId];
    case "agent":
      return [convoyId, sessionId, agentId];
  }
}

function spenderIn({ convoyId, agentId, sessionId, runId }: Spender): Spender {
  return { convoyId, agentId, sessionId, runId };
}

function ledgerRows({ totals, usage, leases }: Spending, budgets: readonly Budget[]): LedgerRow[] {
  const called = new Map<string, { readonly convoyId: string; readonly at: number }>();
  for (const { sessionId, convoyId, at } of [...usage, ...leases.map(useOfLease)])
    if (convoyId !== null && at >= (called.get(sessionId)?.at ?? -Infinity))
      called.set(sessionId, { convoyId, at });
  return totals.flatMap((session) => {
    const { sessionId } = session;
    const known = new Map<string, string | null>();
    const ofRow = ({ agentId, branch }: AgentDay) => {
      const key = JSON.stringify([agentId === "main", branch]);
      const found = known.get(key);
      if (found !== undefined) return found;
      const convoyId = convoyOf(budgets, { sessionId, branches: branchesOf(session, agentId, branch) });
      known.set(key, convoyId ?? called.get(sessionId)?.convoyId ?? null);
      return known.get(key) ?? null;
    };
    return session.agents.map((row) => {
      const { agentId, type, day, at, tokens, ofRun } = row;
      // Totals of earlier versions have no prices.
      const { usd = 0, usdOfRun = 0, unpriced = tokens, unpricedOfRun = ofRun } = row;
      return {
        agentId,
        type,
        day,
        at,
        sessionId,
        convoyId: ofRow(row),
        used: withCredits({ tokens, usd, unpriced }, session.program),
        ofRun: withCredits({ tokens: ofRun, usd: usdOfRun, unpriced: unpricedOfRun }, session.program),
      };
    });
  });
}

/**
 * Returns the branches that decide the convoy: a subagent may work in a worktree of its own, whose branch belongs to no convoy; then its
 * session's branch counts.
 */
function branchesOf(
  { branch: last }: SessionTotals,
  agentId: string,
  branch: string | null,
): (string | null)[] {
  return agentId === "main" ? [branch ?? last] : [branch, last];
}

type ConvoyUse = Pick<UsageRow, "sessionId" | "convoyId" | "at">;

function useOfLease({ sessionId, convoyId, grantedAt }: Spending["leases"][number]): ConvoyUse {
  return { sessionId, convoyId, at: grantedAt };
}
