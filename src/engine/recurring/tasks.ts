export { createTaskSource } from "./tasks/create-tasks.ts";
export { Desk } from "./tasks/desk.ts";
export { runTaskCheck } from "./tasks/own-check.ts";
export { TaskReader } from "./tasks/reader.ts";
export { priorities, taskStates, type TaskState } from "./tasks/task.ts";
export type { LastWake } from "./tasks/tasks-context.ts";
export { lessonSkill, type TaskSource } from "./tasks/tasks-source.ts";
