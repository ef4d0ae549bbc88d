import { suiteHash } from "../suite/suite.ts";
import type { BenchPorts, BenchRequest } from "../request.ts";
import type { BenchPlan, ExpectedTokens, MetaCost } from "./plan.ts";
import type { Cell } from "../execute/schedule.ts";

/**
 * What a run of a small task takes where nothing is known yet: the cheapest runs of golden tasks that are reported take some 34,000
 * processing tokens, and runs of one task commonly differ by a third. An estimate, and called so.
 */
const documented: ExpectedTokens = {
  perRun: 60_000,
  cacheReadPerRun: 500_000,
  spread: 0.35,
  source: "estimated",
  because: "no runs of these tasks yet: what such tasks usually take",
};

/** Standard errors that a difference must have to be seen four times of five at a level of 5 %: 1.96 + 0.84. */
const neededErrors = 2.8;
/** Of the week's real work. */
const metaCostWarning = 0.1;

type PlanPorts = Pick<BenchPorts, "driver" | "book" | "price">;

/**
 * @param cells all of the schedule
 * @param left those whose runs are not made yet
 */
export async function makePlan(
  request: BenchRequest,
  cells: readonly Cell[],
  left: readonly Cell[],
  ports: PlanPorts,
): Promise<BenchPlan> {
  const { driver } = ports;
  const isFree = driver.name === "replay";
  const expected = await expectedOf(request, ports);
  const tokens = isFree ? 0 : Math.round(expected.perRun * left.length);
  const cacheReadTokens = isFree ? 0 : Math.round(expected.cacheReadPerRun * left.length);
  const metaCost = isFree ? null : await metaCostOf(tokens, ports);
  const smallestSaving = smallestSavingOf(request, cells, expected);
  const plan = {
    driver: driver.name,
    recordedBy: driver.recordedBy(),
    runs: cells.length,
    made: cells.length - left.length,
    tokens,
    cacheReadTokens,
    expected,
    smallestSaving,
    metaCost,
    usd: isFree ? 0 : usdOf(request, left, expected, ports),
    tokenCap: request.tokenCap,
  };
  return { ...plan, warnings: warningsOf(plan) };
}

async function expectedOf(request: BenchRequest, { driver, book }: PlanPorts): Promise<ExpectedTokens> {
  const own = driver.expected(request.configurations, request.taskIds);
  if (own !== null) return own;
  const asked = request.configurations.map(({ agent, model }) =>
    book.expected({ agent, model, suiteHash: suiteHash(request.suite, agent), driver: driver.name }),
  );
  const told = (await Promise.all(asked)).map((each) => each ?? documented);
  const [first = documented] = told;
  const mean = (of: (each: ExpectedTokens) => number) =>
    told.reduce((sum, each) => sum + of(each), 0) / told.length;
  return {
    perRun: mean(({ perRun }) => perRun),
    cacheReadPerRun: mean(({ cacheReadPerRun }) => cacheReadPerRun),
    spread: mean(({ spread }) => spread),
    // The least that is known of any.
    source: told.every(({ source }) => source === first.source) ? first.source : "estimated",
    because: [...new Set(told.map(({ because }) => because))].join("; "),
  };
}

function usdOf(
  { configurations }: BenchRequest,
  left: readonly Cell[],
  expected: ExpectedTokens,
  { price }: PlanPorts,
): number | null {
  const prices = left.map(({ side }) => {
    const model = configurations[side]?.model;
    const tokens = { processing: expected.perRun, cacheRead: expected.cacheReadPerRun };
    return model === undefined ? null : price(model, tokens);
  });
  return prices.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);
}

/** Of two sides with as many runs each: the difference of their means, beside what runs of one task differ by themselves. */
function smallestSavingOf(
  { configurations }: BenchRequest,
  cells: readonly Cell[],
  { perRun, spread }: ExpectedTokens,
): number | null {
  const agents = configurations.map(({ agent }) => agent);
  if (new Set(agents).size === agents.length || cells.length === 0) return null;
  const runsASide = cells.length / configurations.length;
  return Math.round(neededErrors * perRun * spread * Math.sqrt(2 / runsASide));
}

async function metaCostOf(tokens: number, { book }: PlanPorts): Promise<MetaCost | null> {
  const week = await book.week();
  if (week === null || week.realWork <= 0) return null;
  const benches = week.benches + tokens;
  return { realWork: week.realWork, benches, share: benches / week.realWork };
}

function warningsOf({
  metaCost,
  tokenCap,
  tokens,
}: Pick<BenchPlan, "metaCost" | "tokenCap" | "tokens">): string[] {
  const warnings: string[] = [];
  if (metaCost !== null && metaCost.share > metaCostWarning) {
    const percent = Math.round(metaCost.share * 100);
    warnings.push(`with this, benches take ${percent} % of what the last seven days' real work took`);
  }
  if (tokenCap !== null && tokens > tokenCap)
    warnings.push("it is expected to reach its cap before its last run, and then pauses with what it has");
  return warnings;
}
