export { checkBudget, type BudgetPorts } from "./check/check.ts";
export { describeAnswer, type PlannedCall } from "./check/describe-answer.ts";
export { verdictOn, type LevelState, type LevelVerdict } from "./check/check-answer.ts";
