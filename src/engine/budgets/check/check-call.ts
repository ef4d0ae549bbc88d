import { sentence } from "../../base/text/sentence.ts";
import * as z from "zod/mini";
import { fail, succeed, type Result } from "../../base/result.ts";
import { largestLimit } from "../budget.ts";
import { readConvoyId } from "../convoys/id.ts";
import type { Spender } from "../spending/spending.ts";

/** A call that is planned or was made. */
export interface Call {
  /** Null if the session belongs to no convoy: then only the project's limits apply. */
  readonly convoyId: string | null;
  /** One agent of the session: `main`, a subagent's id, or the caller's name for it. */
  readonly agentId: string;
  readonly sessionId: string;
  /** Defaults to the session's current run. */
  readonly runId?: string | null;
}

/** A call before it is made. */
export interface PlannedCall extends Call {
  /** A subagent's type, used to look up its history: its own id is new each time. */
  readonly agentType?: string | null;
  /** Model name in the API; past usage of the agent with this model projects the call's. */
  readonly model?: string | null;
  /** The caller's own projection in processing tokens, if it knows better than the history of runs. */
  readonly projectedTokens?: number | null;
}

const word = z.string().check(z.minLength(1), z.maxLength(200));
const leaseTimes = z.int().check(z.minimum(1), z.maximum(86_400_000));
const tokenCount = z.int().check(z.minimum(0), z.maximum(largestLimit));

/** Returns the spender of a call. Outside values are validated, so that they can be written and read back. */
export function spenderOf({
  convoyId,
  agentId,
  sessionId,
  runId,
}: Call): Result<Spender, "invalid" | "invalid_id"> {
  if (convoyId !== null) {
    const id = readConvoyId(convoyId);
    if (!id.ok) return id;
  }
  const words = { agentId, sessionId, runId: runId ?? sessionId };
  for (const [name, text] of Object.entries(words))
    if (!word.safeParse(text).success)
      return fail("invalid", sentence("{0} needs 1 to 200 characters", name));
  return succeed({ convoyId, ...words });
}

/** Validates the id of a lease. */
export function checkedLeaseId(id: string): Result<string, "invalid"> {
  return word.safeParse(id).success
    ? succeed(id)
    : fail("invalid", sentence("a lease's id has 1 to 200 characters"));
}

/**
 * Validates the duration of a lease, at most a day: a longer one would block tokens for a dead agent too long.
 * Milliseconds.
 */
export function checkedLeaseTime(time: number): Result<number, "invalid"> {
  if (leaseTimes.safeParse(time).success) return succeed(time);
  return fail("invalid", sentence("a lease lasts a whole number of milliseconds, up to a day"));
}

/** Validates a number of processing tokens. */
export function checkedTokens(tokens: number): Result<number, "invalid"> {
  // Turns a negative zero into 0: it would be written as 0 and differ when read back.
  if (tokenCount.safeParse(tokens).success) return succeed(tokens + 0);
  return fail("invalid", sentence("tokens are a whole number from 0 to a million million, not {0}", tokens));
}
