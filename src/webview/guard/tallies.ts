import type {
  GuardEffectView,
  GuardHit,
  GuardRuleCount,
  GuardRuleView,
  GuardView,
} from "../../engine/guard/guard-answers.ts";
import { sum } from "../components/charts/series.ts";

/** Sums that the panel shows, made of the host's answers. */

/** Tokens of output that were left out, and those that would have been. */
export function leftOutTokens({ days }: Pick<GuardView, "days">): {
  readonly leftOut: number;
  readonly would: number;
} {
  const tokensOf = (isObserved: boolean) =>
    sum(days.filter(({ done }) => (done === "observed") === isObserved).map((day) => day.savedTokens));
  return { leftOut: tokensOf(false), would: tokensOf(true) };
}

/** What is left out of a family's outputs by day, or could have been. Tokens. */
interface FamilySavings {
  readonly family: string;
  readonly isObserved: boolean;
  readonly values: readonly number[];
}

/** Splits what was left out by family and day, apart for what could have been. */
export function savingsByFamily(
  { days: all }: Pick<GuardView, "days">,
  days: readonly string[],
): FamilySavings[] {
  const places = new Map(days.map((day, index) => [day, index]));
  const savings = new Map<string, { family: string; isObserved: boolean; values: number[] }>();
  for (const { day, family, done, savedTokens: tokens } of all) {
    const place = places.get(day);
    if (tokens <= 0 || place === undefined) continue;
    const isObserved = done === "observed";
    const key = JSON.stringify([family, isObserved]);
    const sums = savings.get(key) ?? { family, isObserved, values: days.map(() => 0) };
    sums.values[place] = (sums.values[place] ?? 0) + tokens;
    savings.set(key, sums);
  }
  return [...savings.values()];
}

const dayMs = 86_400_000;

/** All days of a span. In UTC every day has 24 hours. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Hits of one rule on the same call. */
interface Entry {
  /** The newest. */
  readonly hit: GuardHit;
  readonly count: number;
  /** The newest hit with each outcome, the newest first. */
  readonly outcomes: readonly GuardHit[];
}

/** The hits of one rule. */
interface RuleHits {
  readonly rule: string;
  readonly count: number;
  readonly entries: readonly Entry[];
}

/** Groups hits by rule, and those by call. Keeps the order of the newest. */
export function hitsByRule(hits: readonly GuardHit[]): RuleHits[] {
  return groupedBy(hits, ({ rule }) => rule).map((all) => ({
    rule: all[0].rule,
    count: all.length,
    entries: groupedBy(all, ({ id, excerpt, folder }) =>
      // Unknown calls may differ.
      excerpt === null ? id : JSON.stringify([excerpt, folder]),
    ).map((same) => ({
      hit: same[0],
      count: same.length,
      outcomes: groupedBy(same, ({ done }) => done).map(([newest]) => newest),
    })),
  }));
}

type Some<Item> = [Item, ...Item[]];

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Some<Item>[] {
  const groups = new Map<string, Some<Item>>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Returns the rules that contain every word of a search. */
export function found(rules: readonly GuardRuleView[], search: string): readonly GuardRuleView[] {
  const words = search.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return rules;
  return rules.filter(({ id, family, message, remedy }) => {
    const text = `${id} ${family} ${message} ${remedy}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Sums up what was done about each rule's hits. */
export function firedByRule(
  counts: readonly GuardRuleCount[],
): ReadonlyMap<string, { readonly count: number; readonly lastAt: number | null }> {
  const fired = new Map<string, { count: number; lastAt: number | null }>();
  for (const { rule, count, lastAt } of counts) {
    const sum = fired.get(rule) ?? { count: 0, lastAt: null };
    fired.set(rule, {
      count: sum.count + count,
      lastAt: lastAt === null ? sum.lastAt : Math.max(lastAt, sum.lastAt ?? lastAt),
    });
  }
  return fired;
}

/** The share of a rule's reports that were followed or led to progress. Null if unknown. */
export function helpShare(effect: GuardEffectView | undefined): number | null {
  if (effect === undefined) return null;
  const { followed, progress, ignored, overridden, mistaken } = effect;
  const known = followed + progress + ignored + overridden + mistaken;
  return known === 0 ? null : (followed + progress) / known;
}

/** Whether a rule's advice has fallen silent. */
export function isSilent(rule: GuardRuleView, effect: GuardEffectView | undefined): boolean {
  return effect?.helpsTooLittle === true && !rule.isChosen;
}
