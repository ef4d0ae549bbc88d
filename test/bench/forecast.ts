/**
 * `npm run bench -- forecast`: how often a shown forecast of the turns until compaction is right, in made-up sessions of
 * six kinds and in the recorded one. Right means within 30 % of the turns that really came; for "fewer than 4 turns",
 * that fewer came. Beside it is the earlier forecast: the clamped mean of the last 20 turns. Fails below 80 %.
 */
import assert from "node:assert/strict";
import { Chain } from "../../src/engine/sessions/live/chain.ts";
import { fewTurns, turnsLeft } from "../../src/engine/sessions/compaction-forecast.ts";
import { plainSentence } from "../../src/engine/base/language.ts";
import { mean } from "../../src/engine/base/numbers.ts";
import { noUsage, type Figure } from "../../src/engine/usage/token-counts.ts";
import { seededRandom } from "../engine/support/seeded-random.ts";
import {
  type Context,
  kinds,
  makeSession,
  recordedSession,
  responseOf,
  sessionsPerKind,
  threshold,
} from "./made-sessions.ts";

/** Forecasts beyond this are not shown. Turns. */
const farAway = 99;

/** A forecast; null where none is shown. Turns. */
type Forecast = (chain: Chain, room: number, steps: readonly number[]) => number | null;

function measured(value: number): Figure {
  return { value, provenance: "measured", source: plainSentence("counted") };
}

const present: Forecast = (chain, room) => turnsLeft(measured(room), chain.growth()).value;

/** As it was: the mean of the last 20 steps, clamped to Tukey's fences, from four steps on. */
const earlier: Forecast = (_, room, all) => {
  const steps = all.slice(-20);
  if (steps.length < 4) return null;
  const sorted = steps.toSorted((a, b) => a - b);
  const lower = sorted[Math.ceil((sorted.length - 1) * 0.25)] ?? NaN;
  const upper = sorted[Math.floor((sorted.length - 1) * 0.75)] ?? NaN;
  const fence = 1.5 * (upper - lower);
  const held = steps.map((step) => Math.min(upper + fence, Math.max(lower - fence, step)));
  const value = mean(held);
  const variance = held.reduce((sum, step) => sum + (step - value) ** 2, 0) / (held.length - 1);
  if (value < 1 || Math.sqrt(variance / held.length) > 0.5 * value) return null;
  return Math.floor(room / value);
};

interface Score {
  points: number;
  shown: number;
  right: number;
}

const noScore = (): Score => ({ points: 0, shown: 0, right: 0 });

function judge(score: Score, forecast: number | null, real: number, hasLimit: boolean): void {
  score.points += 1;
  if (forecast === null || forecast > farAway) return;
  score.shown += 1;
  const isRight = hasLimit && forecast < fewTurns ? real < fewTurns : Math.abs(forecast - real) <= 0.3 * real;
  if (isRight) score.right += 1;
}

interface Scores {
  readonly present: Score;
  readonly earlier: Score;
}

function play(contexts: readonly Context[], scores: Scores): void {
  const chain = new Chain(null);
  const steps: number[] = [];
  let count = 0;
  for (const [index, context] of contexts.entries()) {
    if (index > 0)
      chain.apply({
        kind: "compaction",
        compaction: { trigger: "auto", preTokens: threshold, postTokens: context[0] ?? 0, at: null },
      });
    for (const [turn, size] of context.entries()) {
      const response = responseOf(`m${(count += 1)}`, { ...noUsage, input: Math.round(size) });
      chain.apply({ kind: "response", response, isCopy: false, endsTurn: false });
      // The earlier forecast left out three steps after a compaction.
      if (turn > (index === 0 ? 0 : 3)) steps.push(size - (context[turn - 1] ?? 0));
      const real = context.length - 2 - turn;
      if (turn === 0 || real < 0) continue;
      judge(scores.present, present(chain, threshold - size, steps), real, true);
      judge(scores.earlier, earlier(chain, threshold - size, steps), real, false);
    }
  }
}

/** The contexts of the recorded session, up to its last automatic compaction. */
function recordedContexts(): Context[] {
  const contexts: number[][] = [[]];
  let compactions = 0;
  for (const { main } of recordedSession()) {
    if (main.compactions.length > compactions) contexts.push([]);
    compactions = main.compactions.length;
    const tokens = main.unansweredCompaction === null ? main.occupancy() : null;
    const context = contexts.at(-1);
    if (tokens !== null && context !== undefined && context.at(-1) !== tokens) context.push(tokens);
  }
  return contexts.slice(0, -1);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`;
}

function row(name: string, { present, earlier }: Scores): string {
  const cells = [present, earlier].flatMap(({ points, shown, right }) => [
    share(shown, points),
    share(right, shown),
  ]);
  return [name.padEnd(34), ...cells.map((cell) => cell.padStart(9))].join("");
}

const all: Scores = { present: noScore(), earlier: noScore() };
const lines = Object.entries(kinds).map(([name, make], index) => {
  const scores: Scores = { present: noScore(), earlier: noScore() };
  const random = seededRandom(index + 1);
  for (let session = 0; session < sessionsPerKind; session++) play(makeSession(make(random), random), scores);
  for (const side of ["present", "earlier"] as const)
    for (const part of ["points", "shown", "right"] as const) all[side][part] += scores[side][part];
  return row(name, scores);
});
const recorded: Scores = { present: noScore(), earlier: noScore() };
play(recordedContexts(), recorded);
const heading = ["shown", "right", "shown", "right"].map((title) => title.padStart(9)).join("");
console.log(`${" ".repeat(34)}${"now".padStart(18)}${"earlier".padStart(18)}\n${" ".repeat(34)}${heading}`);
console.log([...lines, row("all made-up sessions", all), row("the recorded session", recorded)].join("\n"));
assert.ok(all.present.right >= 0.8 * all.present.shown, "fewer than 80 % of the shown forecasts are right");
