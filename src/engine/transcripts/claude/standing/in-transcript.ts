import { isObject } from "../../../base/is-object.ts";
import { stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode } from "../../../base/error-code.ts";
import { rowsFromEnd } from "../../standing/rows-from-end.ts";
import type { AskedCalls, StandingCalls } from "../../standing/calls-in-context.ts";

import { ChainSearch, idleTypes } from "./chain-search.ts";

/** Bytes that are read at most, from the end: a hook waits. */
const mostRead = 6 * 1024 * 1024;
const idleOpenings = idleTypes.map((type) => Buffer.from(`{"type":"${type}",`));

/** The agent writes a row some time after it has begun to run its calls. Milliseconds. */
const [longestWait, lookAgain] = [250, 10];

/** Looks for calls in a transcript of Claude Code, from its end, once the present call is written. */
export const standingCalls: StandingCalls = async (transcript, calls) => {
  const deadline = performance.now() + longestWait;
  try {
    for (;;) {
      const { size } = await stat(transcript);
      const search = await searched(transcript, calls);
      if (!search.mayComeYet) return search.standing;
      while ((await stat(transcript)).size === size) {
        if (performance.now() > deadline) return new Set();
        await pause(lookAgain);
      }
    }
  } catch (error) {
    errorCode(error);
    return new Set();
  }
};

async function searched(transcript: string, calls: AskedCalls): Promise<ChainSearch> {
  const search = new ChainSearch(calls);
  for await (const row of rowsFromEnd(transcript, { most: mostRead, isIdle }))
    if (!isObject(row) || !search.takes(row)) break;
  return search;
}

/** Tests a line for a row that tells of no conversation: the agent writes their types first. */
function isIdle(line: Buffer): boolean {
  return idleOpenings.some(
    (opening) => line.length > opening.length && opening.equals(line.subarray(0, opening.length)),
  );
}
