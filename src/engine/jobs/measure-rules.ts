export {
  chosenRules,
  isToConfirm,
  measureRules,
  partOfRules,
  passedRules,
  planRounds,
  readKnownRules,
  type Drawn,
  type KnownRules,
  type RuleMeasurement,
} from "./process/measure-rules.ts";
export { planRulesPower } from "./process/measure-rules.ts";
export { ruleOfView, serviceRunRecorder, type ServiceRunRecorder } from "./process/run-recorder.ts";
