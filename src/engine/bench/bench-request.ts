export { benchBudget, requestAgain, type BenchBudget } from "./bench-request/run-budget.ts";
export {
  benchFolderName,
  requestHash,
  type BenchOutcome,
  type BenchPorts,
  type BenchRequest,
  type OnProgress,
  type PlanPorts,
  type RunRecorder,
  type Shard,
} from "./bench-request/bench-request.ts";
