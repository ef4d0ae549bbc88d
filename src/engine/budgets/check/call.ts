import * as z from "zod";
import { fail, succeed, type Result } from "../../base/result.ts";
import { largestLimit } from "../budget.ts";
import { readConvoyId } from "../convoys/id.ts";
import type { Spender } from "../spending/spending.ts";

/** A call that somebody is about to make, or made. */
export interface Call {
  /** Null when the session is of no convoy: then only the project's limits hold. */
  readonly convoyId: string | null;
  /** One agent of the session: `main`, a subagent's id, or what the caller calls it. */
  readonly agentId: string;
  readonly sessionId: string;
  /** Without one, it is the run that the session is in. */
  readonly runId?: string | null;
}

/** A call before it is made. */
export interface PlannedCall extends Call {
  /** What such agents are called, where its own id says nothing of what they used before: a subagent's type. */
  readonly agentType?: string | null;
  /** As the API calls it; what agents with this model used before tells what this call will. */
  readonly model?: string | null;
  /** What the caller expects it to use, processing tokens, when it knows better than a run's history. */
  readonly projectedTokens?: number | null;
}

const word = z.string().min(1).max(200);
const leaseTimes = z.int().min(1).max(86_400_000);
const tokenCount = z.int().min(0).max(largestLimit);

/** Who a call is for; what comes from outside is checked, so that it can be written and read again. */
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
    if (!word.safeParse(text).success) return fail("invalid", `${name} needs 1 to 200 characters`);
  return succeed({ convoyId, ...words });
}

/** The id of a lease that a caller told. */
export function checkedLeaseId(id: string): Result<string, "invalid"> {
  return word.safeParse(id).success ? succeed(id) : fail("invalid", "a lease's id has 1 to 200 characters");
}

/** How long a caller wants a lease to last: a longer one would be a dead agent's for too long. Milliseconds. */
export function checkedLeaseTime(time: number): Result<number, "invalid"> {
  if (leaseTimes.safeParse(time).success) return succeed(time);
  return fail("invalid", "a lease lasts a whole number of milliseconds, up to a day");
}

/** Processing tokens that a caller told. */
export function checkedTokens(tokens: number): Result<number, "invalid"> {
  // A negative zero is written as 0, and would not be the same when it is read again.
  if (tokenCount.safeParse(tokens).success) return succeed(tokens + 0);
  return fail("invalid", `tokens are a whole number from 0 to a million million, not ${tokens}`);
}
