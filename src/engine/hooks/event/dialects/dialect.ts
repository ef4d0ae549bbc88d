import type { HookAnswer } from "../hooks-answer.ts";
import type { HookEventName } from "../event.ts";

/** The parts of an answer that an agent may honour at some events, and not at others. */
export type AnswerPart = "context" | "permission" | "block" | "stop" | "notice" | "input" | "output";

export interface Dialect {
  /** A longer text is cut, or handed to the model as a file. Characters. */
  readonly maxTextLength: number;
  /** The events at which the agent honours each part. It would ignore the rest, or take the whole answer for an error. */
  readonly honoured: Readonly<Record<AnswerPart, readonly HookEventName[] | "all">>;
  readonly permissions: readonly NonNullable<HookAnswer["permission"]>["decision"][];
  /** Writes an answer of which every part is honoured at this event: JSON, or plain text. Nothing for an empty one. */
  readonly write: (event: HookEventName, answer: HookAnswer) => Readonly<Record<string, unknown>> | string;
}

/** An object with this member, or an empty one without a value. */
export function memberOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value };
}

export function refusal(decision: "block" | "deny", reason: string | undefined) {
  return reason === undefined ? {} : { decision, reason };
}

export function ending(stop: string | undefined) {
  return stop === undefined ? {} : { continue: false, stopReason: stop };
}

export function specific(event: string, members: Readonly<Record<string, unknown>>) {
  return Object.keys(members).length === 0
    ? {}
    : { hookSpecificOutput: { hookEventName: event, ...members } };
}
