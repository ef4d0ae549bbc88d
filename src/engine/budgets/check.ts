export { checkBudget, type BudgetPorts } from "./check/check.ts";
export { describeAnswer, type PlannedCall } from "./check/describe-answer.ts";
export { type LevelState, type LevelVerdict, verdictOn } from "./check/stop-reason.ts";
