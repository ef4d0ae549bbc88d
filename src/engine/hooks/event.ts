export { isNamed, readHook, type EventNamed, type HookEvent, type HookEventName } from "./event/event.ts";
export {
  isNestedCall,
  isScript,
  outcomeOf,
  shellFolder,
  type HookAnswer,
  type Outcome,
} from "./event/hooks-answer.ts";
export {
  canReplace,
  honouredPart,
  isHonoured,
  mayReplace,
  permissionsOf,
  writeAnswer,
} from "./event/write-answer.ts";
export { toolCallOf, type ToolCall } from "./event/tool-call.ts";
export {
  isDone,
  isDropped,
  listedTasks,
  madeTask,
  todoChange,
  wasRefused,
  type TodoChange,
} from "./event/todo-change.ts";
export { replaceableToolOutput, replaceableOutput, type ReplaceableOutput } from "./event/tool-output.ts";
