/**
 * `npm run bench -- price`: how close the shown price of ten more turns comes to what they really cost, in made-up
 * sessions of six kinds, with and without pauses that let the cache expire, and in the recorded one. Prints the share of
 * turns with a price, the share of prices within 25 %, and the bias: the median of forecast by real cost. Fails below 80 %.
 */
import assert from "node:assert/strict";
import { plainSentence } from "../../src/engine/base/language.ts";
import { Chain } from "../../src/engine/sessions/live/chain.ts";
import { priceOfGoingOn } from "../../src/engine/sessions/live/price-of-going-on.ts";
import { pricedTurns } from "../../src/engine/sessions/advice.ts";
import type { ApiResponse } from "../../src/engine/usage/api-response.ts";
import { builtInCatalogue } from "../../src/engine/usage/catalogue/catalogue.ts";
import { priceUsage } from "../../src/engine/usage/price.ts";
import { noUsage, type Figure } from "../../src/engine/usage/token-counts.ts";
import { seededRandom, type SeededRandom } from "../engine/support/seeded-random.ts";
import {
  type Context,
  kinds,
  logNormal,
  makeSession,
  recordedSession,
  responseOf,
  sessionsPerKind,
  threshold,
} from "./made-sessions.ts";
import { quantileOf } from "./quantile.ts";

/** One answer with the forecast after it; a compaction has none. */
interface Turn {
  readonly response: ApiResponse;
  /** USD; null where none is shown. */
  readonly forecast: number | null;
}

function measured(value: number): Figure {
  return { value, provenance: "measured", source: plainSentence("counted") };
}

function forecastOf(chain: Chain, limit: number): number | null {
  const carried = chain.carried();
  if (carried === null) return null;
  const input = { carried: measured(carried), threshold: measured(limit), isCacheKnown: true, now: 0 };
  return priceOfGoingOn(chain, { ...input, catalogue: builtInCatalogue }).here.value;
}

/** Plays contexts: each call reads the last context from the cache and writes the growth; after a pause it writes all. */
function play(contexts: readonly Context[], random: SeededRandom, pauses: number): Turn[] {
  const chain = new Chain({ short: 300_000, long: 3_600_000 });
  const turns: Turn[] = [];
  for (const [index, context] of contexts.entries()) {
    if (index > 0) {
      const postTokens = Math.round(context[0] ?? 0);
      const compaction = { trigger: "auto" as const, preTokens: threshold, postTokens, at: null };
      chain.apply({ kind: "compaction", compaction });
    }
    for (const [turn, size] of context.entries()) {
      const before = turn === 0 || random.next() < pauses ? 0 : Math.round(context[turn - 1] ?? 0);
      const output = Math.round(logNormal(random, 250, 0.7));
      const usage = { ...noUsage, cacheRead: before, cacheCreation5m: Math.round(size) - before, output };
      const response = responseOf(`m${turns.length}`, usage);
      chain.apply({ kind: "response", response, isCopy: false, endsTurn: false });
      turns.push({ response, forecast: forecastOf(chain, threshold) });
    }
  }
  return turns;
}

/** The recorded session's turns. */
function recordedTurns(): Turn[] {
  const turns = new Map<string, Turn>();
  for (const { main } of recordedSession())
    if (main.last !== null && main.unansweredCompaction === null)
      turns.set(main.last.messageId, { response: main.last, forecast: forecastOf(main, 167_000) });
  return [...turns.values()];
}

interface Score {
  points: number;
  right: number;
  readonly ratios: number[];
}

const noScore = (): Score => ({ points: 0, right: 0, ratios: [] });

function judge(score: Score, turns: readonly Turn[]): void {
  const costs = turns.map(({ response }) => priceUsage(response, builtInCatalogue).usd ?? NaN);
  for (const [index, { forecast }] of turns.entries()) {
    const next = costs.slice(index + 1, index + 1 + pricedTurns);
    if (next.length < pricedTurns) continue;
    score.points += 1;
    if (forecast === null) continue;
    const ratio = forecast / next.reduce((sum, usd) => sum + usd, 0);
    score.ratios.push(ratio);
    if (Math.abs(ratio - 1) <= 0.25) score.right += 1;
  }
}

function row(name: string, { points, right, ratios }: Score): string {
  const shown = Math.round((100 * ratios.length) / points);
  const good = ratios.length === 0 ? "–" : `${Math.round((100 * right) / ratios.length)} %`;
  const bias = ratios.length === 0 ? "–" : quantileOf(ratios, 0.5).toFixed(2);
  return [name.padEnd(40), `${shown} %`.padStart(8), good.padStart(12), bias.padStart(8)].join("");
}

const all = noScore();
const lines = [0, 0.03].flatMap((pauses, round) =>
  Object.entries(kinds).map(([name, make], index) => {
    const score = noScore();
    const random = seededRandom(100 * round + index + 1);
    for (let session = 0; session < sessionsPerKind; session++)
      judge(score, play(makeSession(make(random), random), random, pauses));
    all.points += score.points;
    all.right += score.right;
    for (const ratio of score.ratios) all.ratios.push(ratio);
    return row(pauses === 0 ? name : `${name}, pauses`, score);
  }),
);
const recorded = noScore();
judge(recorded, recordedTurns());
console.log(`${" ".repeat(40)}${"shown".padStart(8)}${"within 25 %".padStart(12)}${"bias".padStart(8)}`);
console.log([...lines, row("all made-up sessions", all), row("the recorded session", recorded)].join("\n"));
assert.ok(all.right >= 0.8 * all.ratios.length, "fewer than 80 % of the shown prices are within 25 %");
