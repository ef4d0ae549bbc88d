import type { HookAnswer } from "../hooks-answer.ts";
import type { HookEventName } from "../event.ts";

/** The parts of an answer that an agent may honour at some events, and not at others. */
export type AnswerPart = "context" | "permission" | "block" | "stop" | "notice" | "input" | "output";

/** How one agent takes answers to its hooks. */
export interface Dialect {
  /** A longer text is cut, or handed to the model as a file. Characters. */
  readonly longestText: number;
  /** The events at which the agent honours each part. It would ignore the rest, or take the whole answer for an error. */
  readonly honoured: Readonly<Record<AnswerPart, readonly HookEventName[] | "all">>;
  /** The permissions it takes. */
  readonly permissions: readonly NonNullable<HookAnswer["permission"]>["decision"][];
  /** Writes an answer of which every part is honoured at this event: JSON, or plain text. Nothing for an empty one. */
  readonly write: (event: HookEventName, answer: HookAnswer) => Readonly<Record<string, unknown>> | string;
}

/** A member, or none where there is nothing to say. */
export function memberOf(name: string, value: unknown): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { [name]: value };
}

/** The members that most agents share for refusing what is about to happen. */
export function refusal(decision: "block" | "deny", reason: string | undefined) {
  return reason === undefined ? {} : { decision, reason };
}

/** The members that most agents share for ending the agent's work. */
export function ending(stop: string | undefined) {
  return stop === undefined ? {} : { continue: false, stopReason: stop };
}

/** The member that most agents share for what differs from event to event. */
export function specific(event: string, members: Readonly<Record<string, unknown>>) {
  return Object.keys(members).length === 0
    ? {}
    : { hookSpecificOutput: { hookEventName: event, ...members } };
}
