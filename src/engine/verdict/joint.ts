/** Measures several rules together. */
export { runJointExperiment, type JointProgress, type RoundPlan } from "./joint/joint-experiment.ts";
export { mostTogether, orthogonalRows, type JointRun } from "./joint/orthogonal-rows.ts";
