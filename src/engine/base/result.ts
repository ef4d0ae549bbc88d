import type { Sentence } from "./text/sentence.ts";
/** Enforces snake_case reasons such as `not_found`: any other is of type `never`, and does not compile. */
type Spelled<Reason extends string> = Reason extends `${string}-${string}` | `${string} ${string}`
  ? never
  : Reason;

/** An expected, named failure. `reason` is discriminated and in snake_case; `detail` names the thing. */
export interface Failure<Reason extends string = string> {
  readonly ok: false;
  readonly reason: Reason;
  readonly detail: Sentence;
}

/** Returned by the public functions of a room: a value, or a named failure. A throw is a bug. */
export type Result<Value, Reason extends string = string> =
  { readonly ok: true; readonly value: Value } | Failure<Reason>;

export function succeed<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function fail<Reason extends string>(reason: Spelled<Reason>, detail: Sentence): Failure<Reason> {
  return { ok: false, reason, detail };
}
