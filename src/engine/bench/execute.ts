export { planBench, runBench, runRound } from "./execute/run-bench.ts";
export { copyCommit } from "./execute/copy-commit.ts";
export { isBelow, memoryPath, unsteadyRuns } from "./execute/install-agent.ts";
export { mergeBenches, type MergedBench } from "./state/merge.ts";
export { readBench, type StoredRequest } from "./state/state.ts";
export { readStoredTrajectory, type FileChange, type StoredTrajectory } from "./state/stored-trajectory.ts";
