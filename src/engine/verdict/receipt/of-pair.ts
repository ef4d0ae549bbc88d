import { configurationHash, type Configuration } from "../../bench/configuration.ts";
import { measuresModel, type BenchRun, type DriverName } from "../../bench/run-facts.ts";
import { fixtureHashOf, suiteHash, type Suite } from "../../bench/suite.ts";
import { sideFigures } from "../statistics.ts";
import type { Question, Verdict } from "../verdict.ts";
import { figuresOfVerdict } from "../evidence.ts";
import { costSaving } from "../cost-saving.ts";
import { sealReceipt, type Receipt } from "./receipt.ts";

export interface MeasuredPair {
  /** Id of the pair's bench, evidence and receipt. */
  readonly id: string;
  readonly subject: Receipt["subject"];
  /** Unchanged, and with the change. Everything in which they agree is held constant. */
  readonly configurations: readonly [Configuration, Configuration];
  readonly suite: Suite;
  /** The rules of a set, if the pair compares all of them with none. */
  readonly set?: Receipt["set"];
  readonly question: Question;
  readonly driver: DriverName;
  readonly seed: number;
}

export interface PairResult {
  readonly at: number;
  readonly verdict: Verdict;
  readonly rounds: Receipt["rounds"];
  readonly evidence?: Receipt["evidence"];
  /** All runs of either side: 0 or 1. */
  readonly runs: readonly BenchRun[];
  /** List price of runs in USD; null where it is unknown. */
  readonly price: (runs: readonly BenchRun[]) => number | null;
  /** If other changes were compared with the same runs: their ids, and this one's part of a sum over runs. */
  readonly expected?: Receipt["expected"];
  readonly shared?: {
    readonly together: readonly string[];
    readonly part: (value: (run: BenchRun) => number) => number;
  };
}

export function receiptOfPair(
  pair: MeasuredPair,
  { at, verdict, rounds, evidence, runs, price, expected, shared }: PairResult,
): Receipt {
  const { subject, set, question, suite, seed, driver, configurations } = pair;
  const { agent } = configurations[0];
  const figures = figuresOfVerdict(sideFigures(runs), verdict);
  const side = (index: 0 | 1): Receipt["sides"][0] => {
    const { label, model, effort } = configurations[index];
    const hash = configurationHash(configurations[index]);
    return { label, configurationHash: hash, model, effort, figures: figures?.[index] ?? null };
  };
  // Replayed runs cost nothing and have no price.
  const isPriced = measuresModel(driver);
  const usd = isPriced ? price(runs) : null;
  const weights = new Map(tasksOfPair(pair).map(({ id, weight }) => [id, weight]));
  const cost = isPriced ? costSaving({ runs, weights, price }, question) : null;
  const whole = (value: (run: BenchRun) => number) => runs.reduce((sum, run) => sum + value(run), 0);
  const part = shared?.part ?? whole;
  const [tokens, all] = [part(processing), whole(processing)];
  return sealReceipt({
    version: 1,
    id: `${pair.id}.receipt`,
    subject,
    at,
    agent,
    sides: [side(0), side(1)],
    question,
    verdict,
    tasks: tasksOfPair(pair).map(({ id, hash }) => ({ id, hash })),
    suiteHash: suiteHash(suite, agent),
    fixtureHash: fixtureHashOf(suite, agent),
    seed,
    driver,
    rounds,
    ...(evidence === undefined ? {} : { evidence }),
    recordedBy: [...new Set(runs.flatMap(({ recordedBy }) => recordedBy ?? []))],
    spent: {
      runs: runs.length,
      processingTokens: tokens,
      cacheRead: part(({ usage }) => usage.cacheRead),
      usd: usd === null || shared === undefined ? usd : all === 0 ? null : (usd * tokens) / all,
    },
    ...(cost === null ? {} : { cost }),
    ...(expected === undefined ? {} : { expected }),
    ...(set === undefined ? {} : { set }),
    ...(shared === undefined ? {} : { together: [...shared.together] }),
  });
}

export function tasksOfPair({
  suite,
  configurations,
}: Pick<MeasuredPair, "suite" | "configurations">): Suite["tasks"] {
  return suite.tasks.filter(({ agent }) => agent === configurations[0].agent);
}

function processing({ processingTokens }: BenchRun): number {
  return processingTokens;
}
