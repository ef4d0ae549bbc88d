import { median } from "../../base/numbers.ts";
import type { Catalogue } from "../../usage/catalogue.ts";
import { TokenRates } from "../questions/token-rates.ts";
import { sessionCauses, type SessionCause } from "./found-causes.ts";
import {
  farAbove,
  minHistory,
  minShare,
  ofCause,
  takeLargest,
  UsualShares,
  type Candidate,
  type History,
  type Part,
  type Partition,
  type ScopeCell,
} from "./partition.ts";
import { sumOf, type Group, type WhyScope } from "./why-scope.ts";

/** A group's days before that say what is usual for it. */
const minGroupDays = 4;
/** Share of the whole from which new work is worth a clause. */
const minNewShare = 0.25;
/** A model with a smaller share of the cost before is unusual. */
const rareModel = 0.2;
/** A session with this share of its cost explained is not also an example of more work. */
const minExplained = 0.3;
/** Work is more than usual only where the whole is: at this multiple, and with this share of what is usual. */
const [minMultiple, minExcess] = [1.3, 0.25];
/** The price of the usual model must be at most this share of the other's. */
const maxRatio = 0.75;

/** The subject of a clause. */
export type Subject =
  | { readonly kind: "session"; readonly cause: SessionCause }
  | { readonly kind: "model"; readonly cause: "dearer-model"; readonly model: string; readonly usual: string }
  | { readonly kind: "new"; readonly cause: "new-work"; readonly group: Group }
  | { readonly kind: "day"; readonly cause: "spike"; readonly day: string; readonly times: number }
  | MultipleOfUsual;

interface MultipleOfUsual {
  readonly kind: "multiple";
  readonly cause: "more-than-usual";
  readonly group: Group;
  /** Its cost without what other causes explain, and what is usual. Billionths of a dollar. */
  readonly nanos: number;
  readonly usual: number;
  /** Days or sessions before. */
  readonly count: number;
}

/**
 * Divides the cost among its causes: benchmarks first, then what happened within sessions and dearer models, then
 * subagents, and last the agents and projects that cost more than usual.
 */
export function findSubjects(
  scope: WhyScope,
  partition: Partition,
  { history, catalogue }: { readonly history: History; readonly catalogue: Catalogue },
): Part<Subject>[] {
  if (partition.whole === 0) return [];
  const days = scope.session === null ? Math.max(1, scope.days.size) : null;
  const shares = new UsualShares(history, { whole: partition.whole, days });
  const candidate = (cause: SessionCause): Candidate<Subject> => ({
    of: { kind: "session", cause },
    claim: ofCause(cause),
    standsOut: (share) => shares.standsOut(cause, share),
  });
  const within = sessionCauses.filter((cause) => cause !== "benchmark" && cause !== "subagents");
  const parts = takeLargest(partition, [candidate("benchmark")]);
  const models = dearerModels(scope, history, catalogue);
  parts.push(...takeLargest(partition, [...within.map(candidate), ...models]));
  parts.push(...takeLargest(partition, [candidate("subagents")]));
  const more =
    scope.session === null
      ? [...groups(scope, partition, history), ...spikes(scope, partition)]
      : wholeSession(scope, partition, history);
  parts.push(...takeLargest(partition, more));
  return parts;
}

/** Models that were rare before, and dearer than the usual one of the same agent. */
function dearerModels(scope: WhyScope, history: History, catalogue: Catalogue): Candidate<Subject>[] {
  if (history.length < minHistory) return [];
  const rates = new TokenRates(catalogue);
  const day = [...scope.days].sort().at(-1) ?? null;
  const before = history.flat();
  return scope.usages.flatMap(({ program, model, sum }): Candidate<Subject>[] => {
    const spent = spentByModel(before.filter((cell) => cell.program === program));
    const whole = [...spent.values()].reduce((total, nanos) => total + nanos, 0);
    const [usual] = [...spent].sort(([, one], [, other]) => other - one)[0] ?? [];
    if (usual === undefined || usual === model || (spent.get(model) ?? 0) >= rareModel * whole) return [];
    const { usage } = sum.sum();
    const ratio = rates.price(usage, usual, day) / rates.price(usage, model, day);
    if (!(ratio > 0 && ratio <= maxRatio)) return [];
    return [
      {
        of: { kind: "model", cause: "dearer-model", model, usual },
        claim: (cell) => (cell.program === program && cell.model === model ? 1 - ratio : 0),
        standsOut: (share) => share >= minShare,
      },
    ];
  });
}

function spentByModel(cells: readonly ScopeCell[]): ReadonlyMap<string, number> {
  const spent = new Map<string, number>();
  for (const { model, nanos } of cells) spent.set(model, (spent.get(model) ?? 0) + nanos);
  return spent;
}

/** Agents' work on projects that is new, or far above its usual cost. */
function groups(scope: WhyScope, partition: Partition, history: History): Candidate<Subject>[] {
  if (history.length < minHistory) return [];
  const keyOf = ({ program, project }: Group) => JSON.stringify([program, project]);
  const days = Math.max(1, scope.days.size);
  const usualWhole = median(history.map(sumOf)) * days;
  const explained = partition.explained();
  const isExplained = ({ session }: ScopeCell) => (explained.get(session) ?? 0) >= minExplained;
  const isMore = partition.whole >= minMultiple * usualWhole;
  const all = new Map(
    scope.cells.map(({ program, project }) => [keyOf({ program, project }), { program, project }]),
  );
  return [...all].flatMap(([key, group]): Candidate<Subject>[] => {
    const isOwn = (cell: Group) => keyOf(cell) === key;
    const claim = (cell: ScopeCell) => Number(isOwn(cell) && !isExplained(cell));
    const before = history.map((cells) => sumOf(cells.filter(isOwn)) * days).filter((nanos) => nanos > 0);
    if (before.length === 0)
      return [
        { of: { kind: "new", cause: "new-work", group }, claim, standsOut: (share) => share >= minNewShare },
      ];
    const nanos = partition.amountOf(claim);
    if (before.length < minGroupDays || nanos < farAbove(before)) return [];
    const isLarge = isMore && nanos - median(before) >= minExcess * usualWhole;
    return isLarge ? [multiple({ group, nanos, before }, claim)] : [];
  });
}

/** Days that cost far more than the other days that are explained. */
function spikes(scope: WhyScope, partition: Partition): Candidate<Subject>[] {
  if (scope.days.size < minHistory) return [];
  const left = partition.leftByDay();
  const all = [...scope.days].map((day) => left.get(day) ?? 0);
  const [usual, least] = [median(all), farAbove(all)];
  if (usual === 0) return [];
  return [...scope.days].flatMap((day): Candidate<Subject>[] => {
    const nanos = left.get(day) ?? 0;
    // A smaller part is not worth a clause, and there may be thousands of days.
    if (nanos < Math.max(least, minShare * partition.whole)) return [];
    const of = { kind: "day", cause: "spike", day, times: nanos / usual } as const;
    const claim = (cell: ScopeCell) => (cell.day === day ? 1 - usual / nanos : 0);
    return [{ of, claim, standsOut: (share) => share >= minShare }];
  });
}

/** The session itself, if it cost far more than others. */
function wholeSession(scope: WhyScope, partition: Partition, history: History): Candidate<Subject>[] {
  const before = history.map(sumOf);
  const nanos = partition.left;
  if (before.length < minHistory || nanos < farAbove(before)) return [];
  const group = { program: scope.session?.program ?? null, project: null };
  return [multiple({ group, nanos, before }, () => 1)];
}

/** Only what is above the usual cost belongs to it: the rest is as usual. */
function multiple(
  {
    group,
    nanos,
    before,
  }: { readonly group: Group; readonly nanos: number; readonly before: readonly number[] },
  claim: Candidate<Subject>["claim"],
): Candidate<Subject> {
  const usual = median(before);
  const of = {
    kind: "multiple",
    cause: "more-than-usual",
    group,
    nanos,
    usual,
    count: before.length,
  } as const;
  const above = 1 - usual / nanos;
  return { of, claim: (cell) => above * claim(cell), standsOut: (share) => share >= minShare };
}
