export { benchArms, benchRounds, priceOfRuns } from "./measure-pair/bench-rounds.ts";
export type { ExperimentEnd, ExperimentProgress } from "./measure-pair/verdict-experiment.ts";
export {
  measurePair,
  type PairOutcome,
  type PairPorts,
  type RoundRuns,
  type SettledPair,
} from "./measure-pair/measure-pair.ts";
