import { clusterErrors } from "./error-clusters.ts";
import { consolidateEvents } from "./consolidation.ts";
import { learnConventions } from "./conventions.ts";
import { buildDeadEndMemory } from "./dead-ends.ts";
import { learnEffectiveness } from "./effectiveness.ts";
import { updateWorkingSetRanking } from "./ranking.ts";
import { learnRepairPatterns } from "./repairs.ts";
import { scoreArtifacts } from "./scoring.ts";
import { learnSequences } from "./sequences.ts";
import { taskNames, type LearnTask, type TaskName } from "./task.ts";

const tasks: Readonly<Record<TaskName, LearnTask>> = {
  LearnEffectiveness: learnEffectiveness,
  // The reader of sessions makes the packets: `past-sessions.ts`.
  BuildResumePacket: { name: "BuildResumePacket" },
  LearnSequences: learnSequences,
  ClusterErrors: clusterErrors,
  LearnRepairPatterns: learnRepairPatterns,
  LearnConventions: learnConventions,
  UpdateWorkingSetRanking: updateWorkingSetRanking,
  BuildDeadEndMemory: buildDeadEndMemory,
  ScoreArtifacts: scoreArtifacts,
  ConsolidateEvents: consolidateEvents,
};

/** Every task, in the order in which they are done. */
export const allTasks: readonly LearnTask[] = taskNames.map((name) => tasks[name]);

/** Whether a task reads sessions' files. */
export function readsFiles({ name, observe }: LearnTask): boolean {
  return observe !== undefined || name === "BuildResumePacket";
}
