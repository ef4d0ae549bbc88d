/**
 * Evaluates selection over synthetic lives of rules with known savings: whether a rule is admitted, whether it is evicted over twelve
 * re-audits, and the cost, against the published procedure of the closest system on the same draws. Seeded: prints the same everywhere.
 *
 *   npm run bench -- verdicts-lives                    on all processors; stderr shows the progress and the duration
 *   npm run bench -- verdicts-lives --quick         a minute, with fewer draws
 *   npm run bench -- verdicts-lives --seed 100001   other lives
 */
import { parseArgs } from "node:util";
import { wholeNumber } from "../../../src/engine/base/text/format.ts";
import { wilson } from "../../../src/engine/verdict/statistics/pass-rate.ts";
import { armsSaving, ways, type ComparedArms } from "./arms.ts";
import type { Compared } from "./comparisons.ts";
import { printPeerCheck } from "./peer-check.ts";
import { seconds, Threads, type Part } from "./parts.ts";
import { audits, type Life } from "./selection.ts";
import { inPercent, millions, printTable } from "./tables.ts";
import { turnings, type Turned } from "./turned.ts";
import { usualShape } from "./world.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, seed: { type: "string", default: "1" } },
});
const { quick } = values;
const firstSeed = Number(values.seed);
if (!Number.isSafeInteger(firstSeed) || firstSeed < 1) throw new Error("--seed takes a whole number above 0");
const draws = quick ? 60 : 1000;
/** Twice the rent of a rule of 25 tokens, its part of the prompt cache included. */
const bar = 54;

interface Row {
  readonly saves: number;
  readonly purser: Tally;
  readonly two: Tally;
  readonly three: Tally;
}

interface Tally {
  readonly admitted: number;
  readonly evicted: number;
  /** Mean over lives. */
  readonly candidateTokens: number;
  readonly auditTokens: number;
  readonly auditTokensEach: number;
}

function tally(lives: readonly Life[]): Tally {
  const sum = (value: (life: Life) => number) => lives.reduce((total, life) => total + value(life), 0);
  const auditTokens = sum((life) => life.auditTokens);
  return {
    admitted: sum(({ admitted }) => Number(admitted)),
    evicted: sum(({ evicted }) => Number(evicted)),
    candidateTokens: sum((life) => life.candidateTokens) / lives.length,
    auditTokens: auditTokens / lives.length,
    auditTokensEach: auditTokens / sum((life) => life.audits),
  };
}

const threads = new Threads();

/** Lives of one worth, in pieces that all processors share. */
async function simulate(saves: number): Promise<Row> {
  const piece = 50;
  const parts = Array.from({ length: Math.ceil(draws / piece) }, (_, index): Part => {
    const size = Math.min(piece, draws - index * piece);
    return { kind: "lives", saves, bar, from: firstSeed + index * piece, draws: size };
  });
  const { lives } = await threads.do(`Lives of rules that save ${inPercent(saves)}`, parts);
  return {
    saves,
    purser: tally(lives.map(({ purser }) => purser)),
    two: tally(lives.map(({ two }) => two)),
    three: tally(lives.map(({ three }) => three)),
  };
}

function counted(count: number, of = draws): string {
  const { low, high } = wilson(count, of, 1.96);
  return `${inPercent(count / of)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

function printSelection(rows: readonly Row[]): void {
  console.log("Admitted as a candidate, of rules of this true worth [95 % of the simulation's own noise]");
  printTable(
    ["truly saves", "purser", "peer, 2 runs a side", "peer, 3 runs a side"],
    rows.map(({ saves, purser, two, three }) => [
      inPercent(saves),
      ...[purser, two, three].map(({ admitted }) => counted(admitted)),
    ]),
  );
  console.log(`Evicted over ${audits} re-audits, once active`);
  printTable(
    ["truly saves", "purser", "peer, 2 runs a side", "peer, 3 runs a side"],
    rows.map(({ saves, purser, two, three }) => [
      inPercent(saves),
      ...[purser, two, three].map(({ evicted }) => counted(evicted)),
    ]),
  );
  console.log("Processing tokens: the candidate's measurement + one re-audit = all of a life");
  const spent = ({ candidateTokens, auditTokensEach, auditTokens }: Tally) =>
    `${millions(candidateTokens)} + ${millions(auditTokensEach)} = ${millions(candidateTokens + auditTokens)}`;
  printTable(
    ["truly saves", "purser", "peer, 2 runs a side", "peer, 3 runs a side"],
    rows.map(({ saves, purser, two, three }) => [inPercent(saves), spent(purser), spent(two), spent(three)]),
  );
}

/** Prints the losses: keeping a useless rule costs its rent, evicting a useful one its saving, keeping a costly one its cost. */
function printLosses(rows: readonly Row[]): void {
  console.log("Tokens a run lost by what re-audits decided wrongly, of rules once active");
  const lost = (saves: number, { evicted }: Tally) => {
    const share = evicted / draws;
    const tokens = saves * usualShape.meanTokens - bar / 2;
    return wholeNumber(tokens > 0 ? share * tokens : (share - 1) * tokens);
  };
  printTable(
    ["truly saves", "purser", "peer, 2 runs a side", "peer, 3 runs a side"],
    rows.map(({ saves, purser, two, three }) => [
      inPercent(saves),
      ...[purser, two, three].map((own) => lost(saves, own)),
    ]),
  );
}

interface Aim {
  readonly name: string;
  readonly met: boolean;
  readonly found: string;
}

/** An error rate that is held exactly is found above it as often as below: only the simulation's noise speaks for it. */
function errorAim(name: string, count: number, most: number, of = draws): Aim {
  return { name, met: wilson(count, of, 1.96).low <= most, found: counted(count, of) };
}

function rateAim(name: string, count: number, most: number, of = draws): Aim {
  const { high } = wilson(count, of, 1.96);
  // The simulation's own noise counts against the procedure.
  return { name, met: high <= most || (quick && count / of <= most), found: counted(count, of) };
}

function armsAims(arms: readonly ComparedArms[]): Aim[] {
  const shared = arms.filter(({ how }) => how === "shared");
  const worst = (pick: (one: ComparedArms) => number) =>
    shared.toSorted((one, other) => pick(other) / other.draws - pick(one) / one.draws)[0];
  const [saves, costs] = [worst(({ falseSaves }) => falseSaves), worst(({ falseCosts }) => falseCosts)];
  const missed = worst(({ missed: count }) => count);
  return [
    errorAim(
      "of three changes with the same as-is runs, any is falsely said to save in 5 % at most",
      saves?.falseSaves ?? 1,
      0.05,
      saves?.draws ?? 1,
    ),
    errorAim(
      "any of them is falsely said to cost in 5 % at most",
      costs?.falseCosts ?? 1,
      0.05,
      costs?.draws ?? 1,
    ),
    errorAim(
      "the 96.7 % interval of each misses the truth in 3.3 % at most",
      missed?.missed ?? 1,
      0.1 / 3,
      3 * (missed?.draws ?? 1),
    ),
  ];
}

function aimsOf(rows: readonly Row[], comparisons: readonly Compared[]): Aim[] {
  const at = (saves: number) => rows.find((row) => row.saves === saves)?.purser ?? rows[0]?.purser;
  const all = ({ candidateTokens, auditTokens }: Tally) => candidateTokens + auditTokens;
  const total = (pick: (row: Row) => Tally) =>
    rows.filter(({ saves }) => saves >= 0).reduce((sum, row) => sum + all(pick(row)), 0);
  const [own, two, three] = [
    total(({ purser }) => purser),
    total((row) => row.two),
    total((row) => row.three),
  ];
  const same = comparisons.find(({ saves }) => saves === 0);
  const none = same?.draws ?? 0;
  const missed = comparisons.toSorted((one, other) => other.missed / other.draws - one.missed / one.draws)[0];
  return [
    errorAim("a useless rule is admitted in 5 % of cases at most", at(0)?.admitted ?? draws, 0.05),
    errorAim(
      `a useless rule is evicted in 5 % of lives with ${audits} audits at most`,
      at(0)?.evicted ?? draws,
      0.05,
    ),
    rateAim("a true 5 % saver is evicted in less than 20 %", at(0.05)?.evicted ?? draws, 0.2),
    rateAim("a true 10 % saver is evicted in less than 5 %", at(0.1)?.evicted ?? draws, 0.05),
    rateAim("a true 20 % saver is evicted in less than 1 %", at(0.2)?.evicted ?? draws, quick ? 0.1 : 0.01),
    {
      name: "fewer tokens than the peer, over all lives that cost nothing",
      met: own < Math.min(two, three),
      found: `${inPercent(own / two)} of what it takes with 2 runs a side, ${inPercent(own / three)} with 3`,
    },
    errorAim(
      "two that are the same: one is said to save in 5 % at most",
      same?.saidSaves ?? none,
      0.05,
      none,
    ),
    errorAim(
      "two that are the same: one is said to cost in 5 % at most",
      same?.saidCosts ?? none,
      0.05,
      none,
    ),
    errorAim(
      "a comparison's 90 % interval misses the truth in 10 % at most, at the worst of five",
      missed?.missed ?? 1,
      0.1,
      missed?.draws ?? 1,
    ),
  ];
}

function printComparisons(comparisons: readonly Compared[]): void {
  console.log(
    "Comparisons, up to 12 rounds: what was said, and whether the 90 % interval at the end holds the truth",
  );
  printTable(
    ["truly saves", "saves", "costs", "undecided", "broken", "interval misses", "rounds", "tokens"],
    comparisons.map((one) => [
      inPercent(one.saves),
      ...[one.saidSaves, one.saidCosts, one.undecided, one.saidBroken].map((count) =>
        inPercent(count / one.draws),
      ),
      counted(one.missed, one.draws),
      one.rounds.toFixed(1),
      millions(one.tokens),
    ]),
  );
}

function printTurned(all: readonly Turned[]): void {
  console.log("Rules that were admitted by their own measurement and then turned: out by this audit");
  printTable(
    ["it now", ...(all[0]?.out.map((_, index) => `audit ${index + 1}`) ?? []), "tokens"],
    all.map(({ name, out, lives, tokens }) => [
      name,
      ...out.map((count) => inPercent(count / lives)),
      millions(tokens),
    ]),
  );
}

/** Shares of lives in which a rule that turned must be out, as users were promised. */
function turnedAims(all: readonly Turned[]): Aim[] {
  return all.map(({ name, saves, breaks = 0, out, lives }) => {
    const by = saves <= -0.4 || breaks > 0 ? 2 : 6;
    const count = out[by - 1] ?? 0;
    return {
      name: `a rule that ${name} is out within ${by} audits in at least 60 %`,
      met: count / lives >= 0.6,
      found: counted(count, lives),
    };
  });
}

const namesOfWays: Readonly<Record<ComparedArms["how"], string>> = {
  shared: "the same as-is runs",
  apart: "one by one, at one error for all",
  alone: "one by one, at 5 % each",
};

function printArms(arms: readonly ComparedArms[]): void {
  console.log("Three changes against one configuration, up to 12 rounds each: what was said of any of them");
  printTable(
    [
      "truly save",
      "as-is runs",
      "any falsely saves",
      "falsely costs",
      "saver found",
      "interval misses",
      "tokens",
    ],
    arms.map((one) => [
      one.saves.map(inPercent).join(", "),
      namesOfWays[one.how],
      counted(one.falseSaves, one.draws),
      counted(one.falseCosts, one.draws),
      one.saves.some((share) => share > 0) ? counted(one.found, one.draws) : "-",
      inPercent(one.missed / one.draws / one.saves.length),
      millions(one.tokens),
    ]),
  );
}

console.log(
  `${draws} lives each; ${usualShape.tasks} tasks of ${usualShape.meanTokens} tokens a run, spread ${usualShape.spread.join(" to ")}, ` +
    `${inPercent(usualShape.astray)} of runs far astray, tasks pass in ${usualShape.passes} to 1 of runs, ` +
    `days differ by ${usualShape.drift[0]}, a day drifts by ${usualShape.drift[1]}; a rule must save ${bar} tokens a run.\n`,
);
const from = firstSeed;
const few = quick ? 40 : 500;
// All is asked for at once, so that no processor waits at the end of a section, and printed as it comes.
const asked = {
  rows: Promise.all((quick ? [0, 0.05, 0.1, 0.2] : [-0.2, -0.1, 0, 0.02, 0.05, 0.1, 0.2]).map(simulate)),
  turned: threads.do(
    "Rules that turned",
    turnings.map((_, place): Part => ({ kind: "turning", place, from, draws: quick ? 20 : 400 })),
  ),
  comparisons: threads.do(
    "Comparisons",
    [0, -0.3, -0.1, 0.1, 0.3].map((saves): Part => {
      const size = saves === 0 ? Math.max(240, 3 * few) : few;
      return { kind: "comparison", saves, from, draws: size };
    }),
  ),
  arms: threads.do(
    "Three changes",
    armsSaving.flatMap((saves) =>
      ways.map((way): Part => ({ kind: "arms", saves, way, from, draws: quick ? 10 : 500 })),
    ),
  ),
};
const rows = await asked.rows;
printSelection(rows);
printLosses(rows);
const { turned } = await asked.turned;
printTurned(turned);
const { compared: comparisons } = await asked.comparisons;
printComparisons(comparisons.toSorted((one, other) => one.saves - other.saves));
const { arms } = await asked.arms;
printArms(arms);
await threads.end();
printPeerCheck(bar, quick ? 40 : 800);
const aims = [...aimsOf(rows, comparisons), ...armsAims(arms), ...turnedAims(turned)];
for (const { name, met, found } of aims) console.log(`${met ? "met   " : "MISSED"}  ${name}: ${found}`);
console.error(`${seconds()} s in all`);
if (aims.some(({ met }) => !met)) process.exitCode = 1;
