export { comparisonPower, runArmsComparison } from "./run-compare/run-arms.ts";
export {
  plannedComparison,
  prepareComparison,
  type AskedComparison,
  type Prepared,
} from "./run-compare/prepare.ts";
export { runComparison } from "./run-compare/run-compare.ts";
