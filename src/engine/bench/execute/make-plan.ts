import { joinSentences, sentence, type Sentence } from "../../base/language.ts";
import { controlsFor, typicalRun, type BenchPlan, type ExpectedTokens, type MetaCost } from "../plan.ts";
import { suiteHash } from "../suite/suite.ts";
import type { BenchPorts, BenchRequest } from "../bench-request.ts";
import type { Cell } from "./schedule.ts";

/** Size of a difference, in standard errors, that is detected four times out of five at a level of 5 %: 1.96 + 0.84. */
const neededErrors = 2.8;
/** Share of the week's real work. */
const metaCostWarning = 0.1;

type RunPlanPorts = Pick<BenchPorts, "driver" | "recorder" | "price">;

/**
 * Plans a bench's runs before anything is spent.
 *
 * @param cells the whole schedule
 * @param left the cells without a run yet
 */
export async function makePlan(
  request: BenchRequest,
  cells: readonly Cell[],
  left: readonly Cell[],
  ports: RunPlanPorts,
): Promise<Omit<BenchPlan, "install">> {
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

async function expectedOf(
  request: BenchRequest,
  { driver, recorder }: RunPlanPorts,
): Promise<ExpectedTokens> {
  const own = driver.expected(request.configurations, request.taskIds);
  if (own !== null) return own;
  const asked = request.configurations.map(({ agent, model }) =>
    recorder.expected({ agent, model, suiteHash: suiteHash(request.suite, agent), driver: driver.name }),
  );
  const expected = (await Promise.all(asked)).map((each) => each ?? typicalRun);
  const [first = typicalRun] = expected;
  const reasons = new Map(expected.map(({ because }) => [because.text, because]));
  const mean = (of: (each: ExpectedTokens) => number) =>
    expected.reduce((sum, each) => sum + of(each), 0) / expected.length;
  return {
    perRun: mean(({ perRun }) => perRun),
    cacheReadPerRun: mean(({ cacheReadPerRun }) => cacheReadPerRun),
    spread: mean(({ spread }) => spread),
    // The weakest source of any side.
    source: expected.every(({ source }) => source === first.source) ? first.source : "estimated",
    because: joinSentences([...reasons.values()], "; "),
  };
}

function usdOf(
  { configurations }: BenchRequest,
  left: readonly Cell[],
  expected: ExpectedTokens,
  { price }: RunPlanPorts,
): number | null {
  const prices = left.map(({ side }) => {
    const model = configurations[side]?.model;
    const tokens = { processing: expected.perRun, cacheRead: expected.cacheReadPerRun };
    return model === undefined ? null : price(model, tokens);
  });
  return prices.reduce((sum, each) => (sum === null || each === null ? null : sum + each), 0);
}

/** Returns the smallest difference of means that two sides with equally many runs can show above the spread of runs of one task. */
function smallestSavingOf(
  request: BenchRequest,
  cells: readonly Cell[],
  { perRun, spread }: ExpectedTokens,
): number | null {
  const { configurations } = request;
  const agents = configurations.map(({ agent }) => agent);
  if (new Set(agents).size === agents.length || cells.length === 0) return null;
  return Math.round(neededErrors * perRun * spread * Math.sqrt(inverseRuns(request, cells)));
}

/** Variance of the difference of two sides' means, in variances of a run: one over each side's runs, added up. */
function inverseRuns(
  { configurations, design }: Pick<BenchRequest, "configurations" | "design">,
  cells: readonly Cell[],
): number {
  if (design !== "arms") return (2 * configurations.length) / cells.length;
  const controls = controlsFor(configurations.length);
  const ofControls = cells.filter(({ side }) => side < controls).length;
  return 1 / ofControls + (configurations.length - controls) / (cells.length - ofControls);
}

async function metaCostOf(tokens: number, { recorder }: RunPlanPorts): Promise<MetaCost | null> {
  const week = await recorder.week();
  if (week === null || week.realWork <= 0) return null;
  const benches = week.benches + tokens;
  return { realWork: week.realWork, benches, share: benches / week.realWork };
}

/** Tokens of benchmarks as a share of the last seven days' real work, in words. */
function weeksOfUse(share: number): Sentence {
  if (share < 0.95)
    return sentence("benchmarks take {0}% of what you use in a week", Math.round(share * 100));
  return share < 1.5
    ? sentence("benchmarks take about as much as you use in a week")
    : sentence("benchmarks take about {0} weeks of your normal use", Math.round(share));
}

function warningsOf({
  metaCost,
  tokenCap,
  tokens,
}: Pick<BenchPlan, "metaCost" | "tokenCap" | "tokens">): Sentence[] {
  const warnings: Sentence[] = [];
  if (metaCost !== null && metaCost.share > metaCostWarning) warnings.push(weeksOfUse(metaCost.share));
  if (tokenCap !== null && tokens > tokenCap)
    warnings.push(sentence("it will probably reach its cap before the last run, and then pause"));
  return warnings;
}
