/**
 * Simulates trials of rules on real work: how often rules that save nothing are reported as saving, how often a rule that saves a tenth is
 * found, and how often intervals hold the truth. Seeded: prints the same everywhere.
 *
 *   npm run bench -- trials                    1,000 trials of 200 sessions, about a minute
 *   npm run bench -- trials --lives 100     fewer
 *   npm run bench -- trials --seed 7        other draws
 *   npm run bench -- trials --sessions 260  longer trials
 *   npm run bench -- trials --oracle        the bound instead: what one look finds with every variance known
 */
import { parseArgs } from "node:util";
import { analyseTrial, usualAlpha, type RuleFinding } from "../../../src/engine/rules/trial/analyse.ts";
import { plannedSessions } from "../../../src/engine/rules/trial/trial.ts";
import { wilson } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import { foundByOracle } from "./oracle.ts";
import { makeSessions, ruleIds, truths } from "./world.ts";

const { values } = parseArgs({
  options: {
    lives: { type: "string", default: "1000" },
    seed: { type: "string", default: "20261123" },
    sessions: { type: "string", default: String(plannedSessions) },
    oracle: { type: "boolean", default: false },
  },
});
const [lives, offset, planned] = [Number(values.lives), Number(values.seed), Number(values.sessions)];

const inPercent = (share: number) => `${(100 * share).toFixed(1)} %`;
const shareOf = (count: number, of: number) => {
  const { low, high } = wilson(count, of, 1.96);
  return `${inPercent(count / of)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
};

if (values.oracle) {
  console.log(
    `${lives} trials of ${planned} sessions, by who knows all but the rule's effect, in one look [95 % of the simulation's own noise]`,
  );
  for (const [id, count] of foundByOracle(lives, offset, planned, usualAlpha))
    console.log(`${id.padEnd(16)}   said to save ${shareOf(count, lives)}`);
  process.exit(0);
}

const found = new Map(ruleIds.map((id): [string, RuleFinding[]] => [id, []]));
for (let life = 0; life < lives; life += 1) {
  const question = { ruleIds, planned, alpha: usualAlpha };
  for (const finding of await analyseTrial(makeSessions(offset + life, planned), question))
    found.get(finding.ruleId)?.push(finding);
}

const count = (findings: readonly RuleFinding[], verdict: RuleFinding["verdict"]) =>
  findings.filter((finding) => finding.verdict === verdict).length;
const holding = (id: string, findings: readonly RuleFinding[]) => {
  const truth = truths.get(id) ?? 0;
  return findings.filter(({ saving }) => saving === null || (saving.low <= truth && truth <= saving.high))
    .length;
};

console.log(
  `${lives} trials of ${planned} sessions and ${ruleIds.length} rules each [95 % of the simulation's own noise]`,
);
for (const [id, findings] of found) {
  const decided = findings.filter(({ verdict }) => verdict !== "undecided");
  const sessions = decided.reduce((sum, each) => sum + each.sessions[0] + each.sessions[1], 0);
  console.log(
    [
      id.padEnd(16),
      `said to save ${shareOf(count(findings, "saves"), lives)}`,
      `to cost ${shareOf(count(findings, "costs"), lives)}`,
      `interval holds the truth ${shareOf(holding(id, findings), lives)}`,
      `sessions to a decision ${decided.length === 0 ? "-" : Math.round(sessions / decided.length)}`,
    ].join("   "),
  );
}

const nothing = ruleIds.filter((id) => truths.get(id) === 0).flatMap((id) => found.get(id) ?? []);
const covered = [...found].reduce((sum, [id, findings]) => sum + holding(id, findings), 0);
const level = 1 - 2 * usualAlpha;
const aims = [
  {
    name: "nothing is said to save in at most 5 %",
    share: count(nothing, "saves") / nothing.length,
    isMet: (share: number) => share <= usualAlpha,
  },
  {
    name: "nothing is said to save or to cost in at most 10 %",
    share: (count(nothing, "saves") + count(nothing, "costs")) / nothing.length,
    isMet: (share: number) => share <= 2 * usualAlpha,
  },
  {
    // Out of reach of 200 such sessions, as `--oracle` computes. 260 are enough.
    name: "a rule that saves 10 % is found in at least 60 %",
    share: count(found.get("saves-10") ?? [], "saves") / lives,
    isMet: (share: number) => share >= 0.6,
  },
  {
    name: `intervals of ${inPercent(level)} hold the truth as often`,
    share: covered / (lives * ruleIds.length),
    isMet: (share: number) => share >= level,
  },
].map(({ name, share, isMet }) => ({ name, share, met: isMet(share) }));
for (const { name, share, met } of aims)
  console.log(`${met ? "met    " : "NOT MET"} ${name}: ${inPercent(share)}`);
process.exitCode = aims.every(({ met }) => met) ? 0 : 1;
