import * as codex from "./rollout-rows.ts";

/** Lines of a rollout about the work done. Times are seconds after the start. */

export const event = (second: number, type: string, fields: object = {}) =>
  codex.row(second, "event_msg", { type, ...fields });

export const began = (second: number, turn: string) => event(second, "task_started", { turn_id: turn });

export const ended = (second: number, turn: string, fields: object = {}) =>
  event(second, "task_complete", { turn_id: turn, last_agent_message: "Done.", duration_ms: 900, ...fields });

export const asked = (second: number, message: string) => event(second, "user_message", { message });

export const said = (second: number, message = "Done.") => event(second, "agent_message", { message });

export const called = (second: number, id: string, fields: object = {}) =>
  codex.row(second, "response_item", {
    type: "function_call",
    name: "exec_command",
    arguments: `{"cmd":"ls"}`,
    call_id: id,
    ...fields,
  });

export const returned = (second: number, id: string, output: unknown, type = "function_call_output") =>
  codex.row(second, "response_item", { type, call_id: id, output });

export const item = (second: number, fields: object, span = 40) =>
  event(second, "item_completed", { item: fields, started_at_ms: 1000, completed_at_ms: 1000 + span });
