/**
 * Simulates trials of guards on real work, in the world of `bench -- trials`: how often guards that save nothing are reported as
 * saving, and how often a saving of 6 % is found, after 200 and after 1,000 sessions, with a look after every session. Seeded: prints
 * the same everywhere.
 *
 *   npm run bench -- guard-trials              600 trials of each kind, about 15 minutes
 *   npm run bench -- guard-trials --lives 40   fewer
 */
import { parseArgs } from "node:util";
import {
  analyseTrial,
  guardPace,
  usualAlpha,
  type RuleFinding,
} from "../../../src/engine/rules/trial/analyse.ts";
import { plannedGuardSessions } from "../../../src/engine/rules/trial-answers.ts";
import { guardId } from "../../../src/engine/rules/trial/trial.ts";
import { wilson } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import { makeSessions, world } from "./world.ts";

const { values } = parseArgs({
  options: { lives: { type: "string", default: "600" }, seed: { type: "string", default: "20261130" } },
});
const [lives, seed] = [Number(values.lives), Number(values.seed)];
const id = guardId("output");
const ends = [200, plannedGuardSessions];

const inPercent = (share: number) => `${(100 * share).toFixed(1)} %`;
const shareOf = (count: number) => {
  const { low, high } = wilson(count, lives, 1.96);
  return `${inPercent(count / lives)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
};
/** Looks happen after every 25th session; a look in between sees what the last one saw. */
const findingOf = async (life: number, sessions: number, truth: number): Promise<RuleFinding | undefined> => {
  const question = {
    ruleIds: [id],
    planned: plannedGuardSessions,
    pace: guardPace,
    alpha: usualAlpha,
  };
  const all = makeSessions(seed + life, plannedGuardSessions, new Map([[id, truth]]));
  const [finding] = await analyseTrial(all.slice(0, sessions), question);
  return finding;
};

console.log(
  `${lives} trials of guards each; standard deviations of log tokens: ${world.prompt} of prompts, ${world.session} of sessions, ${world.project} of projects; ${inPercent(world.astray)} of sessions go astray [95 % of the simulation's own noise]`,
);
const shares = new Map<string, number>();
for (const truth of [0, 0.06])
  for (const sessions of ends) {
    const findings: RuleFinding[] = [];
    for (let life = 0; life < lives; life += 1)
      findings.push(...[await findingOf(life, sessions, truth)].flatMap((each) => each ?? []));
    const count = (isCounted: (each: RuleFinding) => boolean) => findings.filter(isCounted).length;
    const [saves, costs, holds] = [
      count(({ verdict }) => verdict === "saves"),
      count(({ verdict }) => verdict === "costs"),
      count(({ saving }) => saving === null || (saving.low <= truth && truth <= saving.high)),
    ];
    shares.set(`${truth} ${sessions} saves`, saves / lives);
    shares.set(`${truth} ${sessions} costs`, costs / lives);
    shares.set(`${truth} ${sessions} holds`, holds / lives);
    const harmed = count(({ completed }) => completed !== null && completed.high < 0);
    console.log(
      `saves ${inPercent(truth)}, after ${sessions} sessions   said to save ${shareOf(saves)}   to cost ${shareOf(costs)}   interval holds the truth ${shareOf(holds)}   said to interrupt more ${shareOf(harmed)}`,
    );
  }
const shareIn = (key: string) => shares.get(key) ?? 0;
const last = plannedGuardSessions;
const aims = [
  ...ends.map((sessions) => ({
    name: `nothing is said to save in at most 5 %, after ${sessions} sessions`,
    share: shareIn(`0 ${sessions} saves`),
    isMet: (share: number) => share <= usualAlpha,
  })),
  ...ends.map((sessions) => ({
    name: `nothing is said to save or to cost in at most 10 %, after ${sessions} sessions`,
    share: shareIn(`0 ${sessions} saves`) + shareIn(`0 ${sessions} costs`),
    isMet: (share: number) => share <= 2 * usualAlpha,
  })),
  {
    name: `a saving of 6 % is found in at least 60 %, after ${last} sessions`,
    share: shareIn(`0.06 ${last} saves`),
    isMet: (share: number) => share >= 0.6,
  },
  {
    name: "intervals of 90 % hold the truth as often",
    share:
      [0, 0.06].reduce(
        (sum, truth) => sum + ends.reduce((own, n) => own + shareIn(`${truth} ${n} holds`), 0),
        0,
      ) / 4,
    isMet: (share: number) => share >= 1 - 2 * usualAlpha,
  },
].map(({ name, share, isMet }) => ({ name, share, met: isMet(share) }));
for (const { name, share, met } of aims)
  console.log(`${met ? "met    " : "NOT MET"} ${name}: ${inPercent(share)}`);
process.exitCode = aims.every(({ met }) => met) ? 0 : 1;
