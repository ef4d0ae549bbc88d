import * as z from "zod/mini";
import { guardFamilies } from "../../settings/guard.ts";

/** Events in a chain of calls that decide outcomes. A chain belongs to a session or to a subagent. */

const hash = z.string().check(z.maxLength(10));
const use = z.nullable(z.string().check(z.maxLength(200)));
const callKey = z.object({
  kind: z.enum(["read", "search", "list", "command", "edit", "other"]),
  whole: hash,
  programs: z.readonly(z.array(hash).check(z.maxLength(4))),
  things: z.readonly(z.array(hash).check(z.maxLength(8))),
  isCheck: z.boolean(),
  hidesFailure: z.boolean(),
});

export const step = z.discriminatedUnion("type", [
  /** A call is about to run. `use` is the agent's id of the call; null if there is none. */
  z.object({ type: z.literal("begun"), use, call: callKey }),
  /** A call has run. */
  z.object({
    type: z.literal("ended"),
    use,
    call: callKey,
    result: z.enum(["succeeded", "failed", "unknown"]),
  }),
  /** A rule fired, after the step before. */
  z.object({
    type: z.literal("fired"),
    use,
    call: z.nullable(callKey),
    rule: z.string().check(z.maxLength(200)),
    family: z.enum(guardFamilies),
    done: z.string().check(z.maxLength(20)),
  }),
  /** The agent ended its turn. */
  z.object({ type: z.literal("stopped") }),
  /** The user wrote. */
  z.object({ type: z.literal("prompted") }),
  /** The session ended. */
  z.object({ type: z.literal("over") }),
]);
export type Step = z.infer<typeof step>;
export type Fired = Extract<Step, { type: "fired" }>;
export type Ended = Extract<Step, { type: "ended" }>;

/** Advice, a question or a denial that an agent or its user received. */
export interface Delivered extends Fired {
  readonly done: "advised" | "asked" | "denied";
}

export const outcomes = ["followed", "ignored", "overridden", "progress", "false", "unknown"] as const;
export type Outcome = (typeof outcomes)[number];
