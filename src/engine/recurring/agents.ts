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
