/**
 * Simulates the verdicts on rules in worlds of known truth, and says of each goal whether it is met. The scenarios are the
 * files of `scenarios`. Brackets hold the simulation's own noise: Wilson's interval of 95 % for a share, two standard errors
 * for a mean. Seeded: prints the same everywhere.
 *
 *   npm run bench -- verdicts                      all scenarios, 1,000 lives each
 *   npm run bench -- verdicts --only worth-eight   one scenario; may be repeated
 *   npm run bench -- verdicts --lives 100          fewer lives
 *   npm run bench -- verdicts --seed 500001        other lives
 *   npm run bench -- verdicts --now                without the procedure of before
 *   npm run bench -- verdicts --threads 1          leaves the other processors alone
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { wilson } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import { loadScenario, simulate } from "./scenario-threads.ts";
import type { LifeFigures, Line } from "./scenario.ts";
import { inPercent, printTable } from "./tables.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    lives: { type: "string" },
    seed: { type: "string", default: "1" },
    threads: { type: "string" },
    now: { type: "boolean", default: false },
  },
});
const seed = wholeOf("seed", values.seed);
const threads = values.threads === undefined ? undefined : wholeOf("threads", values.threads);
const all = readdirSync(new URL("scenarios", import.meta.url))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
  .sort();
const chosen = values.only ?? all;
for (const name of chosen)
  if (!all.includes(name)) throw new Error(`There is no scenario ${name}. There are: ${all.join(", ")}`);

let missed = 0;
for (const name of chosen) {
  const scenario = await loadScenario(name);
  const lives = values.lives === undefined ? (scenario.lives ?? 1000) : wholeOf("lives", values.lives);
  const asked = { scenario: name, seed, lives };
  const began = performance.now();
  const now = await simulate({ ...asked, how: "now" }, threads);
  const { before } = scenario;
  const earlier =
    values.now || typeof before !== "function" ? null : await simulate({ ...asked, how: "before" }, threads);
  console.log(`${name}: ${scenario.title} ${lives} lives from seed ${seed}.`);
  printTable(
    ["", "goal", "", "now", "before"],
    scenario.lines.map((line) => {
      const found = summarize(now, line);
      const verdict = verdictOn(found, line);
      if (verdict === "NOT MET") missed += 1;
      const then = earlier === null ? recorded(before, line.key) : summarize(earlier, line).text;
      return [line.name, goalOf(line), verdict, found.text, then];
    }),
  );
  console.error(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
console.log(missed === 0 ? "All goals are met." : `${missed} goals are not met.`);
if (missed > 0) process.exitCode = 1;

interface Summary {
  readonly value: number | null;
  readonly text: string;
}

function summarize(lives: readonly LifeFigures[], line: Line): Summary {
  const entries = lives.flatMap((life): readonly (number | boolean)[] => {
    const own = life[line.key];
    if (own === undefined) throw new Error(`a life has no figure ${line.key}`);
    return own === null ? [] : typeof own === "object" ? own : [own];
  });
  if (entries.length === 0) return { value: null, text: "nothing to say" };
  if (typeof entries[0] === "boolean") {
    const count = entries.filter((is) => is === true).length;
    const { low, high } = wilson(count, entries.length, 1.96);
    const value = count / entries.length;
    return { value, text: `${inPercent(value)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]` };
  }
  const numbers = entries.map(Number);
  const value = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const variance =
    numbers.reduce((sum, each) => sum + (each - value) ** 2, 0) / Math.max(1, numbers.length - 1);
  const reach = 1.96 * Math.sqrt(variance / numbers.length);
  return {
    value,
    text: `${written(value, line)} [${written(value - reach, line, "")}, ${written(value + reach, line, "")}]`,
  };
}

function written(
  value: number,
  { unit = "number" }: Line,
  after = { percent: " %", millions: " M", number: "" }[unit],
): string {
  const scaled = unit === "percent" ? 100 * value : unit === "millions" ? value / 1e6 : value;
  return `${scaled.toFixed(unit === "millions" ? 2 : 1)}${after}`;
}

function goalOf(line: Line): string {
  const { goal, unit } = line;
  if (goal === undefined) return "";
  const [word, value] =
    "atMost" in goal
      ? ["at most", goal.atMost]
      : "within" in goal
        ? ["within", goal.within]
        : ["at least", goal.atLeast];
  return `${word} ${unit === undefined ? inPercent(value) : written(value, line)}`;
}

function verdictOn({ value }: Summary, { goal }: Line): string {
  if (goal === undefined) return "";
  if (value === null) return "-";
  if ("within" in goal) return Math.abs(value) <= goal.within ? "MET" : "NOT MET";
  return ("atMost" in goal ? value <= goal.atMost : value >= goal.atLeast) ? "MET" : "NOT MET";
}

function recorded(before: unknown, key: string): string {
  if (typeof before !== "object" || before === null) return "";
  const text: unknown = Object.entries(before).find(([name]) => name === key)?.[1];
  return typeof text === "string" ? text : "";
}

function wholeOf(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above 0`);
  return value;
}
