export { isRecurringName, readDefinition, type RecurringAgent } from "./agents/definition.ts";
export {
  definitionText,
  findDefinition,
  readDefinitions,
  writeDefinition,
  type FoundDefinition,
} from "./agents/definitions.ts";
export { describeHeadKey, suggestInHead } from "./agents/head-help.ts";
export { definitionFile, definitionsFolder, projectOf } from "./agents/locate.ts";
export { abilities } from "./programs/honours.ts";
export { agree, agreedFile, readAgreement } from "./consent/agreement.ts";
export { hasUnagreedCommand, openTaskSource } from "./consent/task-source.ts";
export { createTaskSource } from "./tasks/create-tasks.ts";
export { Desk } from "./tasks/desk.ts";
export { runTaskCheck } from "./tasks/own-check.ts";
export { TaskReader } from "./tasks/reader.ts";
export { priorities, taskStates, type TaskState } from "./tasks/task.ts";
export type { LastWake } from "./tasks/tasks-context.ts";
export { lessonSkill, type TaskSource } from "./tasks/tasks-source.ts";
export { agentPlace, type AgentPlace } from "./wake/agent-folder.ts";
export {
  idleReasons,
  openOwnAgent,
  overviewPorts,
  readOverview,
  readOverviews,
  type AgentOverview,
  type OverviewSession,
  type OwnAgent,
  type WokenBy,
  wakerOf,
  wakers,
} from "./wake/agent-overview.ts";
export { economyViewOf } from "./figures/figures-view.ts";
export { economyReportOf } from "./figures/report.ts";
export { createWakePorts } from "./wake/create-ports.ts";
export { planWake, type WakePlan, type WakeRequest } from "./wake/next-step.ts";
export { planViewOf, wakeOf } from "./wake/recurring-wake-environment.ts";
export type { WakePorts } from "./wake/recurring-wake-ports.ts";
export { turnLimitOf } from "./wake/session-rotation.ts";
export { interruption } from "./wake/recurring-wake-record.ts";
export { pastState, readState } from "./wake/recurring-wake-state.ts";
export { runWake, type WakeFault } from "./wake/run-recurring-wake.ts";
export { WakeSchedule } from "./host/wake-schedule.ts";
