import { count, idAt, meta, row, turn, vector } from "../rollout-rows.ts";

export const zero = vector(0, 0, 0);
export const event = (second: number, type: string, fields: object = {}) =>
  row(second, "event_msg", { type, ...fields });
export const began = (second: number, id = idAt(second)) =>
  event(second, "task_started", { turn_id: id, model_context_window: 258_400 });
export const ended = (second: number, fields: object = {}) => event(second, "task_complete", fields);
export const prompt = (second: number, text: string) =>
  event(second, "item_completed", {
    item: { type: "UserMessage", id: "u", content: [{ type: "text", text }] },
  });
export const compacted = (second: number, fields: object = {}) =>
  row(second, "compacted", { message: "", ...fields });
export const estimate = (second: number, tokens: number) =>
  count(second, vector(9000, 0, 10), { ...zero, total_tokens: tokens });
export const head = [
  meta(0, { id: idAt(0), git: { branch: "main" } }),
  began(1),
  turn(1, idAt(1)),
  prompt(1, "Count the boats."),
];
