import { ascending, median, nearestRank } from "../../base/numbers.ts";
import { causeBits, sessionCauses, type SessionCause } from "./found-causes.ts";

/** A part of the cost that is explained. */
export interface ScopeCell {
  readonly session: string;
  readonly program: string | null;
  readonly project: string | null;
  /** Null without a readable time. */
  readonly day: string | null;
  readonly model: string;
  readonly causes: number;
  /** Billionths of a dollar. */
  readonly nanos: number;
}

/** Days or sessions before, each with its cells. */
export type History = readonly (readonly ScopeCell[])[];

/** One part of the whole, with the share of each cell that belongs to it. */
export interface Part<Of> {
  readonly of: Of;
  readonly nanos: number;
  /** By session. Billionths of a dollar. */
  readonly bySession: ReadonlyMap<string, number>;
}

/** A smaller part is not worth a sentence. */
export const minShare = 0.12;
/** The same for what happened within a session that is explained alone. */
const minShareWithin = 0.08;
/** The same with too little history. */
const minShareUnknown = 0.2;
/** Minimum days or sessions that say what is usual. */
export const minHistory = 5;
/** A part stands out at this multiple of its usual share, and this many standard deviations above it. */
const [factor, deviations] = [2, 3];
/** A cause that most never had stands out if it is larger than in this share of the days or sessions before. */
const common = 0.8;
/** A standard deviation of normal values by their median absolute deviation, which a few outliers leave as it is. */
const deviationOfMedian = 1.4826;

/** The usual share of each cause of the cost before. */
export class UsualShares {
  /** By day or session. */
  readonly #shares: ReadonlyMap<SessionCause, readonly number[]>;
  readonly count: number;
  /** Minimum share of the whole, which is also the minimum share of what is usual. */
  readonly #least: number;

  /** @param days that the whole covers; null for a session */
  constructor(history: History, { whole, days }: { readonly whole: number; readonly days: number | null }) {
    this.count = history.length;
    const sums = history.map((cells) => cells.reduce((sum, { nanos }) => sum + nanos, 0));
    const least = days === null ? minShareWithin : minShare;
    this.#least = Math.max(least, (least * median(sums) * (days ?? 1)) / whole);
    this.#shares = new Map(
      sessionCauses.map((cause) => [cause, history.map((cells) => shareOf(cells, cause))]),
    );
  }

  standsOut(cause: SessionCause, share: number): boolean {
    if (this.count < minHistory) return share >= minShareUnknown;
    const before = this.#shares.get(cause) ?? [];
    return share >= Math.max(this.#least, farAbove(before)) && share > nearestRank(ascending(before), common);
  }
}

/** The least value that is far above the usual. */
export function farAbove(before: readonly number[]): number {
  const usual = median(before);
  const deviation = deviationOfMedian * median(before.map((each) => Math.abs(each - usual)));
  return Math.max(factor * usual, usual + deviations * deviation);
}

function shareOf(cells: readonly ScopeCell[], cause: SessionCause): number {
  let [whole, own] = [0, 0];
  for (const { causes, nanos } of cells) {
    whole += nanos;
    if ((causes & causeBits[cause]) !== 0) own += nanos;
  }
  return whole === 0 ? 0 : own / whole;
}

/** A claim on cells: the share of each that belongs to a cause, from 0 to 1. */
export type Claim = (cell: ScopeCell) => number;

/**
 * Gives cells to causes, one after the other. What a claim takes is gone for later ones, so that the parts and what is left
 * always add up to the whole.
 */
export class Partition {
  readonly whole: number;
  readonly #cells: readonly ScopeCell[];
  readonly #left: number[];

  constructor(cells: readonly ScopeCell[]) {
    this.#cells = cells;
    this.#left = cells.map(({ nanos }) => nanos);
    this.whole = this.left;
  }

  get left(): number {
    return this.#left.reduce((sum, nanos) => sum + nanos, 0);
  }

  /** Returns the cost of each day that no clause has taken. Billionths of a dollar. */
  leftByDay(): ReadonlyMap<string | null, number> {
    const sums = new Map<string | null, number>();
    for (const [index, { day }] of this.#cells.entries())
      sums.set(day, (sums.get(day) ?? 0) + (this.#left[index] ?? 0));
    return sums;
  }

  /** The share of a session's cost that is taken, by session. */
  explained(): ReadonlyMap<string, number> {
    const sums = new Map<string, { whole: number; left: number }>();
    for (const [index, { session, nanos }] of this.#cells.entries()) {
      const sum = sums.get(session) ?? { whole: 0, left: 0 };
      sums.set(session, sum);
      sum.whole += nanos;
      sum.left += this.#left[index] ?? 0;
    }
    return new Map([...sums].map(([session, { whole, left }]) => [session, 1 - left / Math.max(1, whole)]));
  }

  /** Returns the cost that a claim would take. Billionths of a dollar. */
  amountOf(claim: Claim): number {
    return this.#cells.reduce((sum, cell, index) => sum + this.#taken(cell, index, claim), 0);
  }

  take<Of>(of: Of, claim: Claim): Part<Of> {
    const bySession = new Map<string, number>();
    let nanos = 0;
    for (const [index, cell] of this.#cells.entries()) {
      const taken = this.#taken(cell, index, claim);
      if (taken === 0) continue;
      this.#left[index] = (this.#left[index] ?? 0) - taken;
      nanos += taken;
      bySession.set(cell.session, (bySession.get(cell.session) ?? 0) + taken);
    }
    return { of, nanos, bySession };
  }

  #taken(cell: ScopeCell, index: number, claim: Claim): number {
    return Math.floor((this.#left[index] ?? 0) * Math.min(1, Math.max(0, claim(cell))));
  }
}

export interface Candidate<Of> {
  readonly of: Of;
  readonly claim: Claim;
  /** Whether this share of the whole is worth a clause. */
  readonly standsOut: (share: number) => boolean;
}

/** Takes the candidate with the most money first, until none stands out. */
export function takeLargest<Of>(partition: Partition, candidates: readonly Candidate<Of>[]): Part<Of>[] {
  const parts: Part<Of>[] = [];
  let open = candidates;
  for (;;) {
    const amounts = open
      .map((each) => ({ each, nanos: partition.amountOf(each.claim) }))
      .filter(({ each, nanos }) => nanos > 0 && each.standsOut(nanos / partition.whole))
      .sort((one, other) => other.nanos - one.nanos);
    const [first] = amounts;
    if (first === undefined) return parts;
    parts.push(partition.take(first.each.of, first.each.claim));
    open = open.filter((each) => each !== first.each);
  }
}

export function ofCause(cause: SessionCause): Claim {
  return ({ causes }) => ((causes & causeBits[cause]) === 0 ? 0 : 1);
}
