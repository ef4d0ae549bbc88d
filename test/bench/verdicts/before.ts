import { newcombe } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import { Boundaries } from "../../../src/engine/verdict/statistics/boundaries.ts";
import { normalTail } from "../../../src/engine/verdict/statistics/normal.ts";

/**
 * The procedure of purser before rules shared their runs, for comparison: one rule alone, up to ten rounds, pairs of
 * tokens tamed by their sum and weighed by their tasks' sizes, half of the error spent by the fifth round, given up below
 * a chance of 15 % to show a saving by the last.
 */
export interface BeforePair {
  readonly task: number;
  readonly tokens: readonly [number, number];
  readonly passed: readonly [boolean, boolean];
}

const rounds = 10;
const minPairs = 7;
const boundaries = new Boundaries((look) => (0.05 * look ** 2) / (look ** 2 + 5 ** 2));

/** @param round returns the pairs of a round: without the rule, and with it */
export function beforeAdmits(
  bar: number,
  round: (number: number) => readonly BeforePair[],
): { readonly admitted: boolean; readonly tokens: number } {
  const all: BeforePair[] = [];
  const spent = () => all.reduce((sum, { tokens }) => sum + tokens[0] + tokens[1], 0);
  for (let look = 1; look <= rounds; look += 1) {
    all.push(...round(look));
    const pairs = all.filter(({ passed }) => passed[0] && passed[1]);
    const mean = (side: 0 | 1) => pairs.reduce((sum, { tokens }) => sum + tokens[side], 0) / pairs.length;
    const boundary = boundaries.at(look);
    const evidence = pairs.length === 0 ? 0 : standardized(pairs, 1 / (1 - bar / mean(0)));
    const isShown = pairs.length >= minPairs && evidence >= boundary && mean(0) - mean(1) >= bar;
    if (isShown && isAsGood(all, boundary)) return { admitted: true, tokens: spent() };
    if (pairs.length >= minPairs && evidence <= -boundary) break;
    if (!isShown && look >= 2 && look < rounds && isHopeless(evidence, look)) break;
  }
  return { admitted: false, tokens: spent() };
}

function standardized(pairs: readonly BeforePair[], factor: number): number {
  let [sum, squares] = [0, 0];
  for (const { task, tokens } of pairs) {
    const own = pairs.filter((pair) => pair.task === task);
    const size = own.reduce((total, pair) => total + (pair.tokens[0] + pair.tokens[1]) / 2, 0) / own.length;
    const [before, after] = [tokens[0], tokens[1] * factor];
    const tamed = (size * (before - after)) / (before + after);
    sum += tamed;
    squares += tamed * tamed;
  }
  return squares > 0 ? sum / Math.sqrt(squares) : 0;
}

function isAsGood(all: readonly BeforePair[], boundary: number): boolean {
  const side = (index: 0 | 1) => ({
    passed: all.filter(({ passed }) => passed[index]).length,
    runs: all.length,
  });
  const difference = newcombe(side(0), side(1), { boundary, level: 0.9 });
  return difference !== null && difference.low >= -0.2;
}

function isHopeless(evidence: number, look: number): boolean {
  const drift = (evidence + 1) / Math.sqrt(look);
  const left = rounds - look;
  const missing = boundaries.at(rounds) * Math.sqrt(rounds) - evidence * Math.sqrt(look) - drift * left;
  return normalTail(missing / Math.sqrt(left)) < 0.15;
}
