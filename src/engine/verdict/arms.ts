/** Compares several changes at once. */
export { armQuestion, sizeOfRound } from "./arms/arms-experiment.ts";
export { measureArms, type ArmProgress, type ArmsOutcome, type ArmsPorts } from "./arms/measure-arms.ts";
export { planArms } from "./power/plan-arms.ts";
